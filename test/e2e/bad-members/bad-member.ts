/** Wrong values of a member, and the path that the refusal has to name. */
export interface BadMember {
  readonly members: Readonly<Record<string, unknown>>;
  readonly param: string;
}

/** @param values of the top-level member that the path begins with */
export const bad = (param: string, ...values: readonly unknown[]): readonly BadMember[] =>
  values.map((value) => ({ members: { [param.split(/[.[]/, 1)[0] ?? '']: value }, param }));

/** The same for paths inside the only item of a list: of a message, an item, a content. */
export const badIn =
  (list: string) =>
  (path: string, ...items: readonly unknown[]): readonly BadMember[] =>
    items.map((item) => ({ members: { [list]: [item] }, param: `${list}[0]${path}` }));
