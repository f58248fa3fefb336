/** fastify's own compilers of schemas, ajv among them, are some hundred modules, and no route here has a schema: they are not loaded. */
import type { FastifyServerOptions } from 'fastify';

export const withoutSchemas: Required<Pick<FastifyServerOptions, 'schemaController'>> = {
  schemaController: { compilersFactory: { buildValidator: () => refuse, buildSerializer: () => refuse } },
};

function refuse(): never {
  throw new Error('a route has a schema: see without-schemas.ts');
}
