import { allowsModel, type Caller } from '../../core/api/index.ts';
import { mergeSpans, sensitiveText, type Span } from '../../core/api/internal.ts';
import { createSearcher } from './detectors.ts';
import { compilePattern, type Search, type Searcher } from './patterns/search.ts';
import type { Direction, RuleOptions, Scope } from './schema.ts';

/** A rule of the configuration, ready to search. */
export interface Rule extends RuleOptions, Searcher {
  readonly refusal: string;
}

/** What a scope is compared with. */
export interface FilteredRequest {
  readonly caller: Caller;
  readonly route: { readonly path: string };
  /** Absent: there is no such model, and the request will be refused for that. */
  readonly model?: string | undefined;
}

export const isInScope = ({ keys, routes, models }: Scope, { caller, route, model }: FilteredRequest): boolean =>
  (keys.length === 0 || allowsModel(keys, `${caller.organization}/${caller.project}/${caller.key}`)) &&
  (routes.length === 0 || allowsModel(routes, route.path)) &&
  (models.length === 0 || (model !== undefined && allowsModel(models, model)));

/** @throws Error if a pattern is not valid */
export function compileRule(options: RuleOptions): Rule {
  const { name, detect, patterns, message } = options;
  const searchers: readonly Searcher[] = [
    ...detect.map((kind) => createSearcher(sensitiveText[kind])),
    ...patterns.map((pattern) => compilePattern(pattern)),
  ];
  return {
    ...options,
    refusal: message ?? `The content filter of this gateway refused the text (rule "${name}").`,
    maxLength: Math.max(1, ...searchers.map(({ maxLength }) => maxLength)),
    price: searchers.reduce((sum, { price }) => sum + price, 0),
    search: (text) => searchAll(searchers, text),
  };
}

function* searchAll(searchers: readonly Searcher[], text: string): Search {
  const found: Span[] = [];
  for (const { search } of searchers) for (const span of yield* search(text)) found.push(span);
  return found.length > 1 ? mergeSpans(found) : found;
}

export const selectRules = (rules: readonly Rule[], direction: Direction, request: FilteredRequest): readonly Rule[] =>
  rules.filter(
    (rule) =>
      rule.in.includes(direction) &&
      (direction === 'input' || rule.detect.length + rule.patterns.length > 0) &&
      isInScope(rule, request),
  );
