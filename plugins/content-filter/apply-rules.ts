import { omitUndefined } from '../../core/api/codec.ts';
import {
  normalizeForSearch,
  planSearchInSteps,
  replaceSpans,
  type NormalText,
  type Span,
} from '../../core/api/internal.ts';
import type { Rule } from './rules.ts';
import type { Budget, Steps } from './steps.ts';

type Spans = readonly Span[];

/** What the rules did with a text. */
export interface Filtered {
  readonly text: string;
  /** The rule that refuses the text. */
  readonly refusedBy?: Rule;
  /** The rule refuses it because the search would exceed the budget. */
  readonly isOverBudget?: true;
  /** Characters at the end that are held back: more than before, if what was found reaches into those. */
  readonly heldBack?: number;
}

/** The records of the rules that are applied. */
export interface RuleRecords {
  /** The rule has found something. */
  found(rule: Rule, count: number): void;
  /** The search of the rule would exceed the budget. */
  overBudget(rule: Rule): void;
}

export interface TextTraits {
  /** The text is JSON, and must stay valid. */
  readonly isJson: boolean;
  /**
   * More text follows, and this many characters at the end are held back until then. What begins there could become
   * longer, so it is left for the next call.
   */
  readonly heldBack?: number;
}

const NUMBER = /^[\d+.eE-]+$/;
/** Text within one string of JSON, without escapes. */
const WITHIN_STRING = /^[^"\\{}[\]]*$/;

/** Ends within an escape of JSON. */
const OPEN_ESCAPE = /(?<!\\)(?:\\\\)*\\(?:u[\da-f]{0,3})?$/i;
const isEscaped = (text: string, start: number): boolean =>
  OPEN_ESCAPE.test(text.slice(Math.max(0, start - 64), start));

/** Replaces what was found in JSON. @returns undefined if the text would not be valid any more */
function replaceInJson(text: string, spans: readonly Span[], replacement: string): string | undefined {
  let shown = '';
  let from = 0;
  for (const { start, end } of spans) {
    const found = text.slice(start, end);
    if (!WITHIN_STRING.test(found) || isEscaped(text, start)) return undefined;
    shown += text.slice(from, start) + (NUMBER.test(found) ? '0' : replacement);
    from = end;
  }
  return shown + text.slice(from);
}

/** @returns undefined if the search exceeds the budget */
function* searchWithin(budget: Budget, rule: Rule, text: string): Steps<Spans | undefined> {
  // The least that it takes is known, and paid before it is begun.
  const price = rule.price * text.length;
  return budget.pay(price) ? yield* payFor(rule.search(text), budget, price) : undefined;
}

/** Takes steps, of which some are paid. @returns undefined if they exceed the budget */
function* payFor<T>(steps: Steps<T>, budget: Budget, alreadyPaid: number): Steps<T | undefined> {
  let paid = alreadyPaid;
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    paid -= value;
    if (paid < 0 && !budget.pay(-paid)) return undefined;
    paid = Math.max(0, paid);
    yield value;
  }
}

/** Searches texts that a reader sees as one. @returns undefined if the search exceeds the budget */
export function* searchAll(budget: Budget, rule: Rule, texts: readonly string[]): Steps<readonly Spans[] | undefined> {
  const plan = yield* payFor(planSearchInSteps(texts), budget, 0);
  if (plan === undefined) return undefined;
  const { searched, place } = plan;
  const found: Spans[] = [];
  for (const text of searched) {
    const spans = text === '' ? [] : yield* searchWithin(budget, rule, text);
    if (spans === undefined) return undefined;
    found.push(spans);
  }
  return place(found);
}

/** The place of the last characters that a reader sees. */
const placeOfLast = (normal: NormalText, characters: number): Span =>
  normal.toOriginal({ start: normal.text.length - characters, end: normal.text.length });

/** How many characters at the end have as many that are searched as the window. */
export function countHeldBack(text: string, window: number): number {
  const normal = normalizeForSearch(text);
  if (normal === undefined) return window;
  return normal.text.length <= window ? text.length : text.length - placeOfLast(normal, window).start;
}

/** Held back for one find, in lengths of what is held back anyway: the text of a call is searched as a whole. */
const MOST_HELD = 64;

/**
 * Leaves out the last find if it reaches into the held-back characters: it may consist of several, of which one begins
 * there and becomes longer. The rest of that one would be shown if its beginning were replaced.
 */
const leaveOpen = (found: Span[], length: number, heldBack: number, most: number): number => {
  const last = found.at(-1);
  if (last === undefined || last.end <= length - heldBack || length - last.start > most) return heldBack;
  found.pop();
  return length - last.start;
};

/** Applies the rules to a text in their order; each gets the text that the ones before have changed. */
export function* applyRules(
  rules: readonly Rule[],
  text: string,
  traits: TextTraits,
  budget: Budget,
  records: RuleRecords,
): Steps<Filtered> {
  if (text === '') return { text };
  let current = text;
  let { heldBack } = traits;
  const most = MOST_HELD * (heldBack ?? 0);
  for (const rule of rules) {
    const [searched] = (yield* searchAll(budget, rule, [current])) ?? [];
    if (searched === undefined) {
      records.overBudget(rule);
      if (rule.onBudget === 'refuse') return { text: current, refusedBy: rule, isOverBudget: true };
      continue;
    }
    if (searched.length === 0) continue;
    const open = heldBack === undefined ? undefined : current.length - heldBack;
    const found = searched.filter(({ start }) => open === undefined || start < open);
    if (heldBack !== undefined && rule.action === 'redact') heldBack = leaveOpen(found, current.length, heldBack, most);
    if (found.length === 0) continue;
    records.found(rule, found.length);
    if (rule.action === 'refuse') return { text: current, refusedBy: rule };
    if (rule.action === 'log') continue;
    const replaced = traits.isJson
      ? replaceInJson(current, found, rule.replacement)
      : replaceSpans(current, found, rule.replacement);
    if (replaced === undefined) return { text: current, refusedBy: rule };
    current = replaced;
  }
  return omitUndefined({ text: current, heldBack });
}
