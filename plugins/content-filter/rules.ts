import { allowsModel, type Caller } from '../../core/api/index.ts';
import { mergeSpans, sensitiveText, type Span, type TextDetector } from '../../core/api/internal.ts';
import { compilePattern } from './patterns/search.ts';
import type { Direction, RuleOptions, Scope } from './schema.ts';

/** A rule of the configuration, ready to search. */
export interface Rule extends RuleOptions {
  readonly refusal: string;
  /** The length of the longest text that it finds. */
  readonly maxLength: number;
  find(text: string): readonly Span[];
}

/** What a scope is compared with. */
export interface Subject {
  readonly caller: Caller;
  readonly route: { readonly path: string };
  /** Absent: there is no such model, and the request will be refused for that. */
  readonly model?: string | undefined;
}

export const isInScope = ({ keys, routes, models }: Scope, { caller, route, model }: Subject): boolean =>
  (keys.length === 0 || allowsModel(keys, `${caller.organization}/${caller.project}/${caller.key}`)) &&
  (routes.length === 0 || allowsModel(routes, route.path)) &&
  (models.length === 0 || (model !== undefined && allowsModel(models, model)));

/** @throws Error if a pattern is not valid */
export function compileRule(options: RuleOptions): Rule {
  const { name, detect, patterns, message } = options;
  const detectors: readonly TextDetector[] = [
    ...detect.map((kind) => sensitiveText[kind]),
    ...patterns.map((pattern) => compilePattern(pattern)),
  ];
  return {
    ...options,
    refusal: message ?? `The content filter of this gateway refused the text (rule "${name}").`,
    maxLength: Math.max(1, ...detectors.map(({ maxLength }) => maxLength)),
    find: (text) => mergeSpans(detectors.flatMap(({ find }) => find(text))),
  };
}

export const selectRules = (rules: readonly Rule[], direction: Direction, subject: Subject): readonly Rule[] =>
  rules.filter((rule) => rule.in.includes(direction) && isInScope(rule, subject));
