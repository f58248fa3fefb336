/** Whether this process runs in a pod: the kubelet sets the variable in every container. */
export function inPod(): boolean {
  return Boolean(process.env['KUBERNETES_SERVICE_HOST']);
}
