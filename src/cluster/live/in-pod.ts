/** Whether this process runs in a pod. Apart from `access`, of which more is loaded. */
export function inPod(): boolean {
  return Boolean(process.env['KUBERNETES_SERVICE_HOST']);
}
