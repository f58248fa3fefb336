/** The closed lists of KEP-3920's types. */
export const featureEnablement = ['Enabled', 'Disabled'] as const;
export const featureStability = ['Unavailable', 'Alpha', 'Beta', 'GA', 'Deprecated', 'Universal'] as const;
export const featureSource = ['Default', 'CommandLine', 'Dynamic'] as const;
export const featureState = ['Off', 'TurningOn', 'On', 'TurningOff'] as const;

export type FeatureEnablement = (typeof featureEnablement)[number];
export type FeatureStability = (typeof featureStability)[number];
export type FeatureSource = (typeof featureSource)[number];
export type FeatureState = (typeof featureState)[number];
