/** What tells the entries of a list apart, by the list's name: the keys that the API server merges them by. */
export const LIST_KEYS: Readonly<Record<string, readonly string[]>> = {
  conditions: ['type'],
  properties: ['name'],
  accessProviders: ['name'],
  credentialProviders: ['name'],
  extensions: ['name'],
  uses: ['version', 'enabled'],
};
