/**
 * A fleet's repository as it might be, the same at every run: our kinds among many of others, as YAML and JSON, one and more
 * to a file, with comments, and a few that are broken. Sizes are those of real manifests, 0.2 to 4 KiB.
 */

export interface ManifestFile {
  readonly name: string;
  readonly text: string;
}

/** Files that hold `count` manifests between them; each is one document. */
export function manifestFiles(count: number): ManifestFile[] {
  const files: ManifestFile[] = [];
  for (let index = 0; index < count; ) {
    const size = Math.min(FILE_SIZES[files.length % FILE_SIZES.length] ?? 1, count - index);
    const asJson = files.length % 12 === 5;
    const documents = Array.from({ length: size }, (_, offset) => documentText(index + offset, asJson));
    const folder = `team-${String(files.length % 40).padStart(2, '0')}`;
    const name = `${folder}/${String(files.length).padStart(5, '0')}.${asJson ? 'json' : 'yaml'}`;
    files.push({ name, text: asJson ? documents.join('\n') : documents.join('---\n') });
    index += size;
  }
  return files;
}

/** The same manifests as one text. */
export function oneFile(files: readonly ManifestFile[]): string {
  return files.map(({ text }) => (text.endsWith('\n') ? text : `${text}\n`)).join('---\n');
}

/** Documents in a file, in turn: most have one. */
const FILE_SIZES = [1, 1, 3, 1, 1, 1, 8, 1, 1, 2];

/** One in so many documents is broken. */
const BROKEN_EVERY = 499;

function documentText(index: number, asJson: boolean): string {
  if (asJson) return JSON.stringify(jsonOf(index), null, 2);
  if (index % BROKEN_EVERY === BROKEN_EVERY - 1) return `kind: ConfigMap\ndata: {a: [1, 2\n`;
  return (YAML[index % YAML.length] ?? configMap)(index);
}

const team = (index: number) => `team-${index % 40}`;

/** In every 50: 14 of ours, one of them denied; 36 of others. */
const YAML: readonly ((index: number) => string)[] = [
  ...times(4, inventoryCluster),
  ...times(3, clusterProfile),
  ...times(4, feature),
  ...times(2, clusterProperty),
  badProperty,
  ...times(10, deployment),
  ...times(8, service),
  ...times(8, configMap),
  ...times(6, role),
  ...times(4, definition),
];

function times<T>(count: number, one: T): T[] {
  return Array.from({ length: count }, () => one);
}

function clusterProperty(index: number): string {
  return `apiVersion: about.k8s.io/v1
kind: ClusterProperty
metadata:
  name: p${index}.example.com
spec:
  value: "value ${index}"
`;
}

function badProperty(index: number): string {
  return `apiVersion: about.k8s.io/v1
kind: ClusterProperty
metadata:
  name: p${index}.k8s.io # a name that is reserved
spec:
  value: "value ${index}"
`;
}

function inventoryCluster(index: number): string {
  return `# Registered by the depot; see the run book before changing it.
apiVersion: multicluster.x-k8s.io/v1alpha1
kind: InventoryCluster
metadata:
  name: cluster-${index}
  namespace: fleet
  labels:
    x-k8s.io/cluster-manager: depot
    region: region-${index % 7}
spec:
  displayName: cluster-${index}.fleet
  clusterManager:
    name: depot
`;
}

function clusterProfile(index: number): string {
  return `apiVersion: multicluster.x-k8s.io/v1alpha1
kind: ClusterProfile
metadata:
  name: profile-${index}
  namespace: fleet
  labels: {x-k8s.io/cluster-manager: depot, stage: "prod"}
spec:
  displayName: 'profile ${index}'
  clusterManager: {name: depot}
status:
  version:
    kubernetes: v1.36.3
  properties:
    - name: cluster.clusterset.k8s.io
      value: cluster-${index}
    - name: location.example.com
      value: region-${index % 7}
`;
}

function feature(index: number): string {
  return `apiVersion: features.x-k8s.io/v1alpha1
kind: Feature
metadata:
  name: feature-${index}
  namespace: apps
spec: {}
status:
  class: apps
  name: feature-${index}
  default: Disabled
  source: CommandLine
  version: 1.${index % 9}.0
`;
}

function deployment(index: number): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: app-${index}
  namespace: ${team(index)}
  labels:
    app.kubernetes.io/name: app-${index}
    app.kubernetes.io/part-of: shop
    app.kubernetes.io/managed-by: pipeline
  annotations:
    example.com/owner: "${team(index)}@example.com"
spec:
  replicas: ${(index % 5) + 1}
  revisionHistoryLimit: 3
  selector:
    matchLabels:
      app.kubernetes.io/name: app-${index}
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: 25%
      maxUnavailable: 0
  template:
    metadata:
      labels:
        app.kubernetes.io/name: app-${index}
    spec:
      serviceAccountName: app-${index}
      securityContext:
        runAsNonRoot: true
        seccompProfile: {type: RuntimeDefault}
      containers:
        - name: main
          image: example.com/shop/app-${index}:1.${index % 30}.0
          args: ["--listen=:8080", "--log-level=info"]
          ports:
            - name: http
              containerPort: 8080
          env:
            - name: REGION
              value: region-${index % 7}
            - name: PASSWORD
              valueFrom:
                secretKeyRef:
                  name: app-${index}
                  key: password
          readinessProbe:
            httpGet:
              path: /healthz
              port: http
            periodSeconds: 5
          resources:
            requests:
              cpu: 100m
              memory: 128Mi
            limits:
              memory: 256Mi
          volumeMounts:
            - name: config
              mountPath: /etc/app
      volumes:
        - name: config
          configMap:
            name: app-${index}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: topology.kubernetes.io/zone
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              app.kubernetes.io/name: app-${index}
`;
}

function service(index: number): string {
  return `apiVersion: v1
kind: Service
metadata:
  name: app-${index}
  namespace: ${team(index)}
spec:
  type: ClusterIP
  selector:
    app.kubernetes.io/name: app-${index}
  ports:
    - name: http
      port: 80
      targetPort: http
`;
}

function configMap(index: number): string {
  return `apiVersion: v1
kind: ConfigMap
metadata:
  name: app-${index}
  namespace: ${team(index)}
data:
  enabled: "true"
  app.conf: |
    # Read once, at the start.
    listen 0.0.0.0:8080;
    upstream backend-${index} {
      server backend-${index}.${team(index)}.svc:8080;
      keepalive 32;
    }
    location / {
      proxy_pass http://backend-${index};
    }
  notes: >-
    Written by the pipeline,
    and by nobody else.
`;
}

function role(index: number): string {
  return `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: app-${index}
  namespace: ${team(index)}
rules:
- apiGroups: [""]
  resources: ["configmaps", "secrets"]
  resourceNames: ["app-${index}"]
  verbs: ["get", "watch", "list"]
- apiGroups: [apps]
  resources: [deployments]
  verbs: [get]
`;
}

/** Somebody's CustomResourceDefinition: the largest of what is met in great number. */
function definition(index: number): string {
  const fields = Array.from({ length: 18 }, (_, field) => {
    return `                field${field}:
                  description: >-
                    What field ${field} is for, in a sentence that is as long as such sentences are.
                  type: ${field % 3 === 0 ? 'integer' : 'string'}
                  maxLength: ${field + 10}
`;
  });
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: things${index}.example.com
spec:
  group: example.com
  names: {kind: Thing${index}, plural: things${index}}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
${fields.join('')}`;
}

function jsonOf(index: number): unknown {
  const metadata = { name: `json-${index}`, namespace: team(index), labels: { app: `app-${index}` } };
  if (index % 3 === 0) {
    return {
      apiVersion: 'multicluster.x-k8s.io/v1alpha1',
      kind: 'InventoryCluster',
      metadata: { ...metadata, labels: { 'x-k8s.io/cluster-manager': 'depot' } },
      spec: { displayName: `json-${index}`, clusterManager: { name: 'depot' } },
    };
  }
  const data = Object.fromEntries(Array.from({ length: 20 }, (_, key) => [`key-${key}`, `value ${key} of ${index}`]));
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
}
