/**
 * The environment of Jest for Node, but with ordinary globals. In its own, each use of `JSON` or `Map` asks a proxy, so
 * that what computes takes up to three times as long as it does in production.
 */
import { createRequire } from 'node:module';
import vm from 'node:vm';

// As Jest itself finds it: it is a package of Jest's, and none of ours.
const requireAsJest = createRequire(createRequire(import.meta.url).resolve('jest/package.json'));
const { TestEnvironment } = requireAsJest('jest-environment-node');

export default class OrdinaryGlobals extends TestEnvironment {
  constructor(config, context) {
    const { createContext } = vm;
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
  }
}
