/**
 * Three worlds in one cluster, a dialect each, with a Lease of their own: what muster may allow in each is known, whatever it
 * is told on the way.
 */
import { clusterClaim, clusterProperty, lockLeaseOf, ocmClusterClaim } from '../../../src/api/dialects.ts';
import type { ControlPlane, Json } from '../../e2e/harness/index.ts';
import type { Asker, Write } from '../../e2e/races/ask.ts';
import { type ClaimDialect, type Identity, identityOf } from '../../e2e/races/identity.ts';

export interface Question {
  readonly what: string;
  readonly write: Write;
  /** The right answer, as an HTTP status. */
  readonly right: number;
  /** Whether muster has to ask the API server before it can give it. */
  readonly identity: boolean;
}

export interface Answer {
  readonly question: Question;
  readonly code: number;
  readonly message: string;
  readonly milliseconds: number;
  /** Of an identity write that was allowed: whether its intent really stands in the real API server's Lease. */
  readonly backed: boolean;
}

export interface Worlds {
  readonly member: Identity;
  readonly empty: Identity;
  readonly questions: readonly Question[];
  /** Asks all at once. */
  ask(asker: Asker): Promise<Answer[]>;
}

export async function createWorlds(controlPlane: ControlPlane): Promise<Worlds> {
  const jane = controlPlane.api('jane');
  const member = identityOf(ocmClusterClaim, jane);
  const empty = identityOf(clusterClaim, jane);
  const free = identityOf(clusterProperty, jane);
  for (const answer of [await member.createId('one'), await member.join(), await free.createId('one')]) {
    if (answer.status !== 201) throw new Error(answer.body.message);
  }
  const claim = (value: unknown) => objectOf(clusterClaim, 'zone.example.com', value);
  const changed = async (one: Identity): Promise<Write> => {
    const { body } = await one.id();
    return { operation: 'UPDATE', oldObject: body, object: { ...body, spec: { value: 'two' } } };
  };
  const join = objectOf(clusterClaim, clusterClaim.claim.membershipName, 'fleet');
  const questions: Question[] = [
    { what: 'change the id of a member', right: 403, identity: true, write: await changed(member) },
    { what: 'join without an id', right: 403, identity: true, write: { operation: 'CREATE', object: join } },
    { what: 'change the id', right: 200, identity: true, write: await changed(free) },
    { what: 'claim', right: 200, identity: false, write: { operation: 'CREATE', object: claim('apac') } },
    { what: 'malformed claim', right: 422, identity: false, write: { operation: 'CREATE', object: claim(7) } },
  ];
  const attempt = async () => {
    const path = `/apis/coordination.k8s.io/v1/namespaces/muster-system/leases/${lockLeaseOf(clusterProperty)}`;
    const { body } = await controlPlane.api('admin').call('GET', path);
    return body.spec?.holderIdentity && body.metadata.annotations['intent.muster/attempt'];
  };
  return {
    member,
    empty,
    questions,
    async ask(asker) {
      const before = await attempt();
      const answers = await Promise.all(questions.map((question) => answerOf(asker, question)));
      const after = await attempt();
      const backed = after !== undefined && after !== before;
      return answers.map((answer) => ({ ...answer, backed }));
    },
  };
}

/** Wrong: allowed although it is forbidden, or although no intent of it stands. */
export function isWronglyAllowed({ question, code, backed }: Answer): boolean {
  return code === 200 && (question.right !== 200 || (question.identity && !backed));
}

/** Milliseconds that the slowest took, as they are told. */
export function slowest(answers: readonly Answer[]): string {
  return Math.max(...answers.map(({ milliseconds }) => milliseconds)).toFixed(0);
}

async function answerOf(asker: Asker, question: Question): Promise<Omit<Answer, 'backed'>> {
  const began = performance.now();
  const response: Json = await asker.ask(question.write);
  const milliseconds = performance.now() - began;
  const code = response.allowed ? 200 : response.status.code;
  return { question, code, message: response.status?.message ?? '', milliseconds };
}

function objectOf(dialect: ClaimDialect, name: string, value: unknown): Json {
  const apiVersion = `${dialect.group}/${dialect.versions.at(-1)}`;
  return { apiVersion, kind: dialect.kind, metadata: { name, uid: `uid-of-${name}` }, spec: { value } };
}
