/** A rule in CEL, for the fallback policies that apply while the webhook is away. */
import type { Dialect } from '../../api/dialects.ts';
import type { RuleSettings } from '../settings.ts';

/** A part with a name, read as `variables.NAME`, and only where it is needed. */
export interface CelVariable {
  readonly name: string;
  readonly expression: string;
  /** The expression where there is a configuration. */
  readonly configured?: (settings: RuleSettings) => string;
}

export interface CelValidation {
  /** True of every write that passes. It never fails to evaluate, whatever the object: a failure refuses. */
  readonly expression: string;
  /** As a message names it. */
  readonly field: string;
  /** One of the rule's own. */
  readonly messageId: string;
  /** For the message's placeholders: texts. */
  readonly data?: Readonly<Record<string, string>>;
  /** For the message's placeholders: CEL that yields any value. What is long, or no plain text, is not shown. */
  readonly shows?: Readonly<Record<string, string>>;
}

export interface CelExpressions {
  /** All that the validations may use; a policy carries those that they do use. */
  readonly variables?: readonly CelVariable[];
  /** Which writes these are about; all must hold. Variables can't be used here. */
  readonly about?: readonly string[];
  readonly validations: readonly CelValidation[];
  /** The name of an object of the same dialect: the policy applies only while it exists. */
  readonly parameter?: string;
}

/** What of a rule CEL can say. */
export interface CelSaid {
  /** What the rule says and this does not, in words for the documentation. */
  readonly lacks?: string;
  readonly byDialect: Readonly<Partial<Record<Dialect['name'], CelExpressions>>>;
}

/** Why CEL can't say a rule. */
export interface CelAbsent {
  readonly absent: string;
}

export type Cel = CelSaid | CelAbsent;

/** The reasons that several rules share. */
export const absent = {
  configuration: { absent: 'configuration: it is disabled until it is configured' },
  identity: { absent: 'identity: who may write is configuration' },
  others: { absent: 'other objects: a policy sees one object and one parameter, no list' },
  absence: {
    absent:
      'absence: it holds where another object is not there, and a policy that finds no parameter is passed over or refuses everything',
  },
  advice: { absent: 'advice: it is ignored unless it is configured' },
} as const satisfies Readonly<Record<string, CelAbsent>>;
