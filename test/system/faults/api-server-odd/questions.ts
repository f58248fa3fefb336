/**
 * Three cluster states in one cluster, one for each dialect with its own lock, and reviews whose right verdicts are
 * known.
 */
import { clusterProperty, ocmClusterClaim } from '../../../../src/api/dialects.ts';
import type { Write } from '../../../support/writes.ts';
import { type Asker, type ControlPlane, codeOf, done, type Identity, identityOf } from '../../e2e/harness/index.ts';
import { claim } from '../../e2e/verbs/objects.ts';

export interface Question {
  readonly what: string;
  readonly write: Write;
  /** The right verdict, as a status code. */
  readonly right: number;
  /** Whether muster has to call the API server for it. */
  readonly identity: boolean;
}

export interface Answer {
  readonly question: Question;
  readonly code: number;
  readonly message: string;
  readonly milliseconds: number;
  /** Whether the lock was taken in the real Lease. */
  readonly locked: boolean;
}

export interface Questions {
  readonly all: readonly Question[];
  /** Asks all at once. */
  ask(asker: Asker): Promise<Answer[]>;
}

export async function createQuestions(controlPlane: ControlPlane): Promise<Questions> {
  const jane = controlPlane.api('jane');
  const member = identityOf(ocmClusterClaim, jane);
  const free = identityOf(clusterProperty, jane);
  for (const answer of [await member.createId('one'), await member.join(), await free.createId('one')]) done(answer);
  const changed = async (one: Identity): Promise<Write> => {
    const { body } = await one.id();
    return { operation: 'UPDATE', old: body, object: { ...body, spec: { value: 'two' } } };
  };
  const created = (name: string, text: string | number): Write => ({
    operation: 'CREATE',
    object: claim(name, text, { uid: 'u' }),
  });
  const all: Question[] = [
    { what: 'change the id of a member', right: 403, identity: true, write: await changed(member) },
    { what: 'join without an id', right: 403, identity: true, write: created('clusterset.k8s.io', 'fleet') },
    { what: 'change the id', right: 200, identity: true, write: await changed(free) },
    { what: 'claim', right: 200, identity: false, write: created('zone.example.com', 'apac') },
    {
      what: 'malformed claim',
      right: 422,
      identity: false,
      write: created('zone.example.com', 7),
    },
  ];
  const version = async () => {
    const path = `/apis/coordination.k8s.io/v1/namespaces/muster-system/leases/muster-${clusterProperty.name}`;
    const { body } = await controlPlane.api('admin').call('GET', path);
    return body.spec?.holderIdentity && body.metadata.resourceVersion;
  };
  return {
    all,
    async ask(asker) {
      const before = await version();
      const answers = await Promise.all(all.map((question) => answerOf(asker, question)));
      const after = await version();
      const locked = Boolean(after) && after !== before;
      return answers.map((answer) => ({ ...answer, locked }));
    },
  };
}

/** Allowed although it is forbidden, or without a lock. */
export function isWronglyAllowed({ question, code, locked }: Answer): boolean {
  return code === 200 && (question.right !== 200 || (question.identity && !locked));
}

async function answerOf(asker: Asker, question: Question): Promise<Omit<Answer, 'locked'>> {
  const began = performance.now();
  const response = await asker.ask(question.write);
  const milliseconds = performance.now() - began;
  return { question, code: codeOf(response), message: response.status?.message ?? '', milliseconds };
}
