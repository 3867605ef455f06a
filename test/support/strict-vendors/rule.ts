/** A body or a part of one. */
export type Json = Readonly<Record<string, unknown>>;

/** A call as the vendor gets it. */
export interface VendorCall {
  /** The name of the model, which some vendors have in the path. */
  readonly model: string;
  readonly body: Json;
}

/** What a vendor refuses, or takes without the meaning that it has. */
export interface Rule {
  /** The vendor: a preset or a provider. */
  readonly at: string;
  /** Names of models to which it applies. Absent: all. */
  readonly models?: RegExp;
  /** What is refused, for the message of the error. */
  readonly what: string;
  /** Where that is documented, or reported. */
  readonly page: string;
  readonly refuses: (body: Json) => boolean;
  /** A call that is refused by this rule. Tests send it to each rule. */
  readonly example: VendorCall;
}

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const listOf = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.filter((item): item is Json => isJson(item)) : [];
export const jsonOf = (value: unknown): Json => (isJson(value) ? value : {});

/** Whether any object within `value` matches. */
export const findWithin = (value: unknown, matches: (found: Json) => boolean): boolean => {
  if (Array.isArray(value)) return value.some((item) => findWithin(item, matches));
  return isJson(value) && (matches(value) || Object.values(value).some((inner) => findWithin(inner, matches)));
};

/** Where a rule is documented, and for which models it holds. */
export type Page = Pick<Rule, 'at' | 'page'> & { readonly models?: RegExp; readonly model?: string };

const ruleOf = (
  { at, page, models, model = 'm' }: Page,
  what: string,
  refuses: Rule['refuses'],
  example: Json,
): Rule => ({
  at,
  page,
  what,
  refuses,
  example: { model, body: example },
  ...(models === undefined ? {} : { models }),
});

/** A member at the top of the body, whatever its value. */
export const members = (page: Page, names: readonly string[]): readonly Rule[] =>
  names.map((name) => ruleOf(page, `unknown member ${name}`, (body) => body[name] !== undefined, { [name]: 1 }));

/** An effort that is not in the list. An empty list: the member itself. */
export const efforts = (page: Page, accepted: readonly string[]): Rule =>
  ruleOf(
    page,
    `reasoning_effort must be one of [${accepted.join(', ')}]`,
    ({ reasoning_effort: effort }) => effort !== undefined && !accepted.includes(String(effort)),
    { reasoning_effort: 'minimal' },
  );

export const rule = ruleOf;
