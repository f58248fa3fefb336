/** An AdmissionReview as the API server writes it, managed fields and all, and brought to the size of a real one. */

export type Fields = Readonly<Record<string, unknown>>;
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE';

export interface Scenario {
  readonly name: string;
  readonly operation: Operation;
  readonly subresource?: 'status';
  /** As stored before the write; absent on CREATE. */
  readonly oldObject?: Fields;
  /** As it will be stored; absent on DELETE. */
  readonly object?: Fields;
  readonly user: string;
  readonly groups?: readonly string[];
  /** What muster, and whoever checks the same, has to say. */
  readonly allowed: boolean;
}

/** Stands where each request gets a uid of its own. As long as one. */
export const UID_MARK = 'cafe0000-0000-4000-8000-000000000000';
/** Bytes of a review. One that is larger by nature stays so. */
const REVIEW_BYTES = 2200;

/** The review of a scenario as text, of `REVIEW_BYTES` at least. */
export function reviewText(scenario: Scenario): string {
  const bare = JSON.stringify(review(scenario, ''));
  const objects = [scenario.object, scenario.oldObject].filter((object) => object !== undefined).length;
  const missing = REVIEW_BYTES - Buffer.byteLength(bare) - NOTE_BYTES * objects;
  return missing <= 0 ? bare : JSON.stringify(review(scenario, note(Math.ceil(missing / objects))));
}

function review({ operation, subresource, object, oldObject, user, groups = [] }: Scenario, text: string): Fields {
  const written = object ?? oldObject ?? {};
  const { group, version, kind, resource } = kindOf(written);
  const { name, namespace } = written['metadata'] as { name: string; namespace?: string };
  const gvk = { group, version, kind };
  const gvr = { group, version, resource };
  return {
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid: UID_MARK,
      kind: gvk,
      resource: gvr,
      ...(subresource && { subResource: subresource }),
      requestKind: gvk,
      requestResource: gvr,
      ...(subresource && { requestSubResource: subresource }),
      name,
      ...(namespace && { namespace }),
      operation,
      userInfo: userInfo(user, groups),
      object: object ? noted(object, text) : null,
      oldObject: oldObject ? noted(oldObject, text) : null,
      dryRun: false,
      options: { kind: OPTIONS[operation], apiVersion: 'meta.k8s.io/v1' },
    },
  };
}

const OPTIONS = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' } as const;

const PLURALS: Readonly<Record<string, string>> = {
  ClusterClaim: 'clusterclaims',
  ClusterProperty: 'clusterproperties',
  InventoryCluster: 'inventoryclusters',
  ClusterProfile: 'clusterprofiles',
  Feature: 'features',
};

function kindOf(object: Fields) {
  const kind = String(object['kind']);
  const [group = '', version = ''] = String(object['apiVersion']).split('/');
  return { group, version, kind, resource: PLURALS[kind] ?? '' };
}

function userInfo(username: string, groups: readonly string[]): Fields {
  const uid = '5c7f9a52-3b1e-4d0c-9c56-9d8a6f1c2b11';
  if (!username.startsWith('system:serviceaccount:')) {
    return { username, uid, groups: [...groups, 'system:authenticated'] };
  }
  const [, , namespace = ''] = username.split(':');
  const accounts = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  return {
    username,
    uid,
    groups: accounts,
    extra: { 'authentication.kubernetes.io/pod-name': ['manager-7d9c5b6f4-x2x8k'] },
  };
}

const NOTE = 'example.com/notes';
/** What an empty note costs in an object that has annotations already. */
const NOTE_BYTES = Buffer.byteLength(`"${NOTE}":"",`);
const WORDS = 'Kept by the depot; see the run book of the harbour before changing what stands here. ';

function note(length: number): string {
  return WORDS.repeat(Math.ceil(length / WORDS.length)).slice(0, length);
}

function noted(object: Fields, text: string): Fields {
  if (text === '') return object;
  const metadata = object['metadata'] as Fields;
  return {
    ...object,
    metadata: { ...metadata, annotations: { [NOTE]: text, ...(metadata['annotations'] as Fields) } },
  };
}
