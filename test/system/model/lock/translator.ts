/** Between the model's records and what the code under test reads and writes: subjects, objects, Leases, and errors. */
import { clusterClaim, clusterProperty, type Dialect, lockLeaseName } from '../../../../src/api/dialects.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { leasePath, newestOf, objectPath } from '../../../../src/cluster/live/api-paths.ts';
import type { ApiRequest, ApiResponse } from '../../../../src/cluster/live/client.ts';
import type { Lock } from '../../../../src/cluster/locks/lock.ts';
import { subjectOf as newSubject } from '../../../../src/engine/review.ts';
import type { Subject } from '../../../../src/rules/rule.ts';
import type { Code } from './code.ts';
import type { Call, LeaseRecord, LockRecord, Name, Review, StoredObject } from './system-state.ts';

/** The dialect, and what the rules enforce. */
export interface Setting {
  /** Whether the id has two names, as that of a ClusterProperty has. */
  readonly twoNames: boolean;
  /** Whether `claim/clusterset-requires-id` denies to join without an id. By default it warns. */
  readonly strict: boolean;
}

/** The API server's clock at its start, in milliseconds. The model counts seconds from here. */
export const EPOCH = Date.parse('2026-01-01T00:00:00Z');

export function dialectOf({ twoNames }: Setting): Dialect {
  return twoNames ? clusterProperty : clusterClaim;
}

/** The names of objects, by the model's number. */
export function namesOf(dialect: Dialect): readonly string[] {
  const [newer = '', older = ''] = dialect.claim?.idNames ?? [];
  return [newer, older, dialect.claim?.membershipName ?? ''];
}

export function createTranslator(code: Code, setting: Setting) {
  const dialect = dialectOf(setting);
  const names = namesOf(dialect);
  const paths = new Map<string, Call['what']>(
    names.map((name, index) => [objectPath({ dialect, name }, newestOf(dialect)), index as Name]),
  );
  const path = leasePath('muster-system', dialect);
  /** Digests of writers, and what they are made of: user, operation, name and value. */
  const digests = new Map<string, string>();

  const objectOf = (name: string, { uid, version, value, finalizer, going }: StoredObject): JsonObject => ({
    apiVersion: `${dialect.group}/${newestOf(dialect)}`,
    kind: dialect.kind,
    metadata: {
      name,
      ...(uid !== '' && { uid }),
      ...(version !== '' && { resourceVersion: version }),
      ...(finalizer && { finalizers: ['example.com/later'] }),
      ...(going && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    },
    spec: { value },
  });
  const subjectOf = ({ operation, name, value, user, uid = '', seen }: Omit<Review, 'answers'>): Subject => {
    const own = names[name] ?? '';
    const stored = seen && objectOf(own, seen);
    const written = objectOf(own, { ...(seen ?? { uid, version: '' }), value });
    const object = operation === 'DELETE' && stored ? stored : written;
    const identity = { username: user, groups: [] };
    const write = { version: newestOf(dialect), operation, object, oldObject: stored, identity };
    return newSubject({ dialect, name: own }, write);
  };
  const writerOf = (subject: Subject) => code.findIdentityWrite(subject)?.writer ?? '';
  /** A holder is a digest for the code, and for the model a text that names the user. */
  const digestOf = (holder: string): string => {
    const [user = '', operation = '', name = '0', value = ''] = holder.split(' ');
    const seen = { uid: '~u0', version: '~r0', value: 'another' };
    const review = { operation: operation as Subject['operation'], name: Number(name) as Name, value, user };
    const digest = writerOf(subjectOf({ ...review, ...(operation === 'CREATE' ? { uid: '~u0' } : { seen }) }));
    digests.set(digest, holder);
    return digest;
  };

  return {
    subjectOf,
    whatOf({ method, path: asked }: ApiRequest): Call['what'] {
      const what = asked === path ? (`${method.toLowerCase()}-lease` as Call['what']) : paths.get(asked);
      const isKnown = asked === path ? ['GET', 'PUT'].includes(method) : method === 'GET';
      if (what === undefined || !isKnown) throw new Error(`no step of the model: ${method} ${asked}`);
      return what;
    },
    objectAnswer(request: ApiRequest, object: StoredObject | null): Promise<ApiResponse> {
      const name = request.path.split('/').at(-1) ?? '';
      if (object !== null) return Promise.resolve({ body: objectOf(name, object), date: EPOCH });
      return Promise.reject(code.statusError(404, { kind: 'Status', details: { name } }, request));
    },
    /** The Leases of one review: it makes up the ids of its attempts, which get their names when they are sent. */
    leases(subject: Subject, { user, operation, name, value }: Omit<Review, 'answers'>) {
      const attempts = new Map<string, string>();
      digests.set(writerOf(subject), `${user} ${operation} ${name} ${value}`);
      const lockOf = (record: LockRecord): Lock => ({
        writer: digestOf(record.holder),
        operation: record.operation as Subject['operation'],
        object: record.object,
        uid: record.uid,
        resourceVersion: record.version,
        ambiguous: record.ambiguous === 1,
        attempt: [...attempts].find(([, token]) => token === record.attempt)?.[0] ?? record.attempt,
        renewed: EPOCH + record.renewed * 1000,
      });
      return {
        lockOf,
        bodyOf({ version, lock }: LeaseRecord): JsonObject {
          const metadata = { name: lockLeaseName(dialect), resourceVersion: version };
          const lease: JsonObject = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec: {} };
          return lock === null ? lease : code.withLock(lease, lockOf(lock));
        },
        recordOf(body: JsonObject): LeaseRecord {
          const lock = code.lockIn(body);
          const version = String((body['metadata'] as JsonObject)['resourceVersion'] ?? '');
          if (lock === undefined) return { version, lock: null };
          const { writer, operation = '', object = '', uid, resourceVersion, ambiguous, attempt = '', renewed } = lock;
          const known = attempt.startsWith('~') ? attempt : (attempts.get(attempt) ?? '~a!');
          return {
            version,
            lock: {
              holder: digests.get(writer) ?? writer,
              renewed: ((renewed ?? EPOCH) - EPOCH) / 1000,
              operation,
              object,
              ...(uid !== undefined && { uid }),
              ...(resourceVersion !== undefined && { version: resourceVersion }),
              ...(ambiguous && { ambiguous: 1 as const }),
              attempt: known,
            },
          };
        },
        /** The attempt in a Lease that was sent has this name from now on. */
        sent(body: JsonObject, name: string | undefined): void {
          const attempt = code.lockIn(body)?.attempt ?? '';
          if (name !== undefined && !attempt.startsWith('~')) attempts.set(attempt, name);
        },
        stored(body: JsonObject, version: string): JsonObject {
          return { ...body, metadata: { ...(body['metadata'] as JsonObject), resourceVersion: version } };
        },
      };
    },
  };
}
