/** Whether this process runs in a pod. Apart from `access`, which takes half a second to load. */
export function inPod(): boolean {
  return Boolean(process.env['KUBERNETES_SERVICE_HOST']);
}
