/** Names and labels as Kubernetes and DNS write them. Length is checked first and every pattern is linear. */

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const LABEL_VALUE = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
/** As texts, for CEL. */
export const dnsLabelPattern: string = LABEL.source;
export const labelValuePattern: string = LABEL_VALUE.source;

/** RFC 1123 DNS label: 1 to 63 of `a-z0-9-`, starting and ending alphanumeric. */
export function isDnsLabel(text: string): boolean {
  return text.length <= 63 && LABEL.test(text);
}

/** RFC 1123 DNS subdomain: labels joined by dots, at most 253 in all; each label at most 63, as it is a component in DNS. */
export function isDnsSubdomain(text: string): boolean {
  return text.length <= 253 && text.split('.').every(isDnsLabel);
}

/** A label's value that is not empty: at most 63 of `A-Za-z0-9-_.`, starting and ending alphanumeric. */
export function isLabelValue(text: string): boolean {
  return text.length <= 63 && LABEL_VALUE.test(text);
}

/** Code points, as the API server counts a text's length; counting stops beyond `limit`. */
export function longerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  if (text.length > 2 * limit) return true;
  let count = 0;
  for (const _ of text) if (++count > limit) return true;
  return false;
}
