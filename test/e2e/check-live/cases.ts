/** Changes, what the cluster has before them, and what becomes of them. */
import type { Json } from '../harness/index.ts';

export interface Case {
  readonly name: string;
  /** In the cluster before, without a trace of kubectl apply. */
  readonly stored?: readonly Json[];
  /** Applied before by kubectl, which notes what it applied. */
  readonly applied?: readonly Json[];
  /** What is applied now, or deleted. */
  readonly file: Json;
  readonly deleted?: true;
  /** The write of its status. */
  readonly status?: true;
  readonly allowed: boolean;
  /** What check takes it for; undefined: nothing to judge. */
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE';
}

export function claim(name: string, value: string): Json {
  return { apiVersion: 'multicluster.x-k8s.io/v1alpha1', kind: 'ClusterClaim', metadata: { name }, spec: { value } };
}

export function inventory(name: string, labels: Json = LABEL, more: Json = {}): Json {
  return {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'InventoryCluster',
    metadata: { name, labels },
    spec: { clusterManager: { name: 'depot' }, ...more },
  };
}

const LABEL = { 'x-k8s.io/cluster-manager': 'depot' };

function property(name: string, value: string, version = 'v1beta1'): Json {
  return { apiVersion: `about.k8s.io/${version}`, kind: 'ClusterProperty', metadata: { name }, spec: { value } };
}

function profile(metadata: Json, manager = 'depot'): Json {
  return {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ClusterProfile',
    metadata: { labels: LABEL, ...metadata },
    spec: { clusterManager: { name: manager } },
  };
}

function feature(status: Json): Json {
  return {
    apiVersion: 'features.x-k8s.io/v1alpha1',
    kind: 'Feature',
    metadata: { name: 'a', namespace: 'default' },
    spec: {},
    status: { class: 'default', name: 'a', default: 'Disabled', source: 'CommandLine', version: '1.0.0', ...status },
  };
}

const id = claim('id.k8s.io', 'one');
const membership = claim('clusterset.k8s.io', 'fleet');
const without = ({ metadata, ...rest }: Json, ...keys: string[]): Json => ({
  ...rest,
  metadata: Object.fromEntries(Object.entries(metadata).filter(([key]) => !keys.includes(key))),
});
const CREATE = { operation: 'CREATE' } as const;
const UPDATE = { operation: 'UPDATE' } as const;
const DELETE = { operation: 'DELETE' } as const;
const yes = { allowed: true } as const;
const no = { allowed: false } as const;

export const cases: readonly Case[] = [
  { name: 'a new id', file: id, ...yes, ...CREATE },
  { name: 'a new id that is no label', file: claim('id.k8s.io', 'Not valid'), ...no, ...CREATE },
  { name: 'a reserved name', file: claim('mine.k8s.io', 'x'), ...no, ...CREATE },
  {
    name: 'a reserved name that was there before',
    stored: [claim('mine.k8s.io', 'x')],
    file: claim('mine.k8s.io', 'y'),
    ...yes,
    ...UPDATE,
  },
  { name: 'a membership without an id', file: membership, ...yes, ...CREATE },
  { name: 'the id of no member changes', applied: [id], file: claim('id.k8s.io', 'two'), ...yes, ...UPDATE },
  { name: 'the id of a member changes', applied: [id, membership], file: claim('id.k8s.io', 'two'), ...no, ...UPDATE },
  { name: 'the id of a member is applied again', applied: [id, membership], file: id, ...yes, ...UPDATE },
  {
    name: 'the id of a member gets a label',
    applied: [id, membership],
    file: { ...id, metadata: { name: 'id.k8s.io', labels: { a: 'b' } } },
    ...yes,
    ...UPDATE,
  },
  {
    name: 'an id of nobody knows whom, with nothing said of its value',
    stored: [id, membership],
    file: { ...id, spec: {} },
    ...yes,
    ...UPDATE,
  },
  { name: 'an id whose file drops its value', applied: [id, membership], file: { ...id, spec: {} }, ...no, ...UPDATE },
  { name: 'the id of a member is deleted', applied: [id, membership], file: id, deleted: true, ...no, ...DELETE },
  { name: 'the id of no member is deleted', applied: [id], file: id, deleted: true, ...yes, ...DELETE },
  { name: 'a membership is deleted', applied: [id, membership], file: membership, deleted: true, ...yes, ...DELETE },
  {
    name: 'another name of the id, with another value, in a ClusterSet',
    stored: [property('id.k8s.io', 'one'), property('clusterset.k8s.io', 'fleet')],
    file: property('cluster.clusterset.k8s.io', 'two'),
    ...no,
    ...CREATE,
  },
  {
    name: 'another name of the id, with the same value',
    stored: [property('id.k8s.io', 'one'), property('clusterset.k8s.io', 'fleet')],
    file: property('cluster.clusterset.k8s.io', 'one'),
    ...yes,
    ...CREATE,
  },
  {
    name: 'a document of an older version than what is stored',
    applied: [property('cluster.clusterset.k8s.io', 'one'), property('clusterset.k8s.io', 'fleet')],
    file: property('cluster.clusterset.k8s.io', 'two', 'v1alpha1'),
    ...no,
    ...UPDATE,
  },
  { name: 'a member of the inventory without its label', file: without(inventory('a'), 'labels'), ...yes, ...CREATE },
  {
    name: 'a label that the file never had stays',
    stored: [inventory('a')],
    file: without(inventory('a'), 'labels'),
    ...yes,
    ...UPDATE,
  },
  {
    name: 'a manager label that the file drops comes back',
    applied: [inventory('a')],
    file: without(inventory('a'), 'labels'),
    ...yes,
    ...UPDATE,
  },
  {
    name: 'a manager label that the file sets to null comes back',
    stored: [inventory('a')],
    file: inventory('a', { 'x-k8s.io/cluster-manager': null }),
    ...yes,
    ...UPDATE,
  },
  {
    name: 'a label of another manager',
    applied: [inventory('a')],
    file: inventory('a', { 'x-k8s.io/cluster-manager': 'other' }),
    ...no,
    ...UPDATE,
  },
  {
    name: 'what others wrote into the spec stays',
    stored: [inventory('a', LABEL, { displayName: 'A' })],
    file: { ...inventory('a'), spec: {} },
    ...yes,
    ...UPDATE,
  },
  {
    name: 'the manager goes from the spec',
    applied: [inventory('a')],
    file: { ...inventory('a'), spec: {} },
    ...no,
    ...UPDATE,
  },
  {
    name: "a profile in the context's namespace",
    stored: [profile({ name: 'p', namespace: 'default' })],
    file: profile({ name: 'p' }, 'other'),
    ...no,
    ...UPDATE,
  },
  {
    name: 'a profile in a namespace of its own',
    stored: [profile({ name: 'p', namespace: 'default' })],
    file: profile({ name: 'p', namespace: 'kube-public' }),
    ...yes,
    ...CREATE,
  },
  {
    name: 'a feature goes on saying what it said',
    stored: [feature({ state: 'On', transitionTasks: [] })],
    file: feature({ state: 'On', transitionTasks: [] }),
    status: true,
    ...yes,
    ...UPDATE,
  },
  {
    name: 'a feature skips a state',
    stored: [feature({ state: 'On', transitionTasks: [] })],
    file: feature({ state: 'Off' }),
    status: true,
    ...no,
    ...UPDATE,
  },
  {
    name: 'a feature in a state that there is not',
    stored: [feature({ state: 'On', transitionTasks: [] })],
    file: feature({ state: 'Ajar' }),
    status: true,
    ...no,
    ...UPDATE,
  },
];
