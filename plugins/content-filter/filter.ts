import {
  type Admission,
  type Draft,
  type Exchange,
  type Guard,
  type Log,
  type Metric,
  type PluginInstance,
  type Rewrite,
  type Services,
} from '../../core/api/index.ts';
import { withoutHidden } from '../../core/api/internal.ts';
import { applyRules, countHeldBack, type RuleRecords } from './apply-rules.ts';
import { overBudget, RequestTexts } from './request-text.ts';
import { isInScope } from '../shared/scope.ts';
import { compileRule, selectRules, type Rule } from './rules.ts';
import type { ContentFilterOptions, Direction } from './schema.ts';
import { createService } from './service.ts';
import { Budget, finish, Turns } from './steps.ts';

type Findings = Record<string, string>;
type Signalled = Pick<Draft, 'id' | 'signal'>;
type Signal = AbortSignal & Record<symbol, Findings | undefined>;

/**
 * The rules that have found something, by request: the fields of its records. Before `admit`, the signal is what
 * identifies a request, and it has them: entries of a WeakMap would be freed by no collection but a full one.
 */
class FindingsByRequest {
  /** Of one configuration. */
  readonly #name = Symbol('findings');

  of({ signal }: Signalled): Findings {
    return ((signal as Signal)[this.#name] ??= {});
  }

  add(request: Signalled, { name }: Rule): void {
    const found = this.of(request);
    const { matched } = found;
    if (matched === undefined) found['matched'] = name;
    else if (!matched.split(' ').includes(name)) found['matched'] = `${matched} ${name}`;
  }
}

/**
 * Characters that no reader sees make a text longer, and more is held back then. Above this many times the window they
 * are removed: no text of a language has so many.
 */
const MOST_PADDING = 4;

/** The rules of one configuration, and what they have found. */
class ContentFilter {
  readonly #rules: readonly Rule[];
  readonly #budget: number;
  readonly #findings = new FindingsByRequest();
  readonly #matches: Metric;
  readonly #overBudget: Metric;
  readonly #log: Log;
  readonly #turns: Turns;

  constructor({ rules, budget }: ContentFilterOptions, { clock, metrics, log, shared }: Services) {
    this.#rules = rules.map(compileRule);
    this.#budget = budget;
    this.#log = log;
    this.#turns = shared('content-filter/turns', () => new Turns(clock));
    this.#matches = metrics.counter(
      'koine_content_filter_matches_total',
      'Texts that a rule of the content filter found.',
      ['rule', 'in', 'action'],
    );
    this.#overBudget = metrics.counter(
      'koine_content_filter_over_budget_total',
      'Texts that a rule of the content filter did not search, because this would have exceeded the budget.',
      ['rule', 'in', 'decision'],
    );
  }

  inputRules(draft: Draft): readonly Rule[] {
    return selectRules(this.#rules, 'input', { ...draft, model: draft.catalogId });
  }

  /**
   * @returns a promise only if the texts are long
   * @throws GatewayError `content_filter` if a rule refuses the request, `request_too_large` if the budget is exceeded
   */
  filterInput(draft: Draft, rules: readonly Rule[], texts: RequestTexts): void | Promise<void> {
    const steps = texts.apply(rules, new Budget(this.#budget, draft.work), this.#recordsOf(draft, 'input'));
    return this.#turns.run(steps, draft.signal);
  }

  guardOutput(exchange: Exchange): Guard | undefined {
    const rules = selectRules(this.#rules, 'output', exchange);
    if (rules.length === 0) return undefined;
    const window = Math.max(...rules.map(({ maxLength }) => maxLength)) - 1;
    const records = this.#recordsOf(exchange, 'output');
    const budget = new Budget(this.#budget, exchange.work);
    return {
      window,
      inspect: (text, { kind, call, isEnd }) => {
        const isJson = kind === 'tool-call' && call?.kind !== 'custom';
        const counted = countHeldBack(text, window);
        const isPadded = counted > MOST_PADDING * window;
        const visible = isPadded ? withoutHidden(text) : text;
        const heldBack = isPadded ? countHeldBack(visible, window) : counted;
        const place = isEnd ? { isJson } : { isJson, heldBack };
        budget.renew();
        const filtering = finish(applyRules(rules, visible, place, budget, records));
        const { text: filtered, refusedBy, isOverBudget, heldBack: kept = 0 } = filtering;
        if (isEnd) budget.report();
        if (refusedBy !== undefined)
          return { refuse: isOverBudget === true ? overBudget(refusedBy, 'response') : refusedBy.refusal };
        if (filtered !== text) return { replace: filtered, hold: Math.max(kept, countHeldBack(filtered, window)) };
        return isEnd || kept === window ? 'pass' : { hold: kept };
      },
    };
  }

  /** For the records of the request. The guard adds to the fields until the request ends. */
  annotate(exchange: Exchange): Admission {
    const fields = this.#findings.of(exchange);
    return { annotations: { log: fields, tags: fields } };
  }

  /** With the steps that a character takes. */
  list(direction: Direction, exchange: Exchange): readonly object[] {
    return selectRules(this.#rules, direction, exchange).map(({ name, action, price }) => ({
      rule: name,
      action,
      steps: price,
    }));
  }

  #recordsOf(request: Signalled, direction: Direction): RuleRecords {
    const logged = new Set<string>();
    return {
      found: (rule, count) => {
        this.#matches.bind([rule.name, direction, rule.action])(count);
        this.#findings.add(request, rule);
      },
      overBudget: ({ name, onBudget }) => {
        this.#overBudget.bind([name, direction, onBudget])(1);
        if (logged.has(name)) return;
        logged.add(name);
        const fields = { request_id: request.id, rule: name, in: direction, on_budget: onBudget, budget: this.#budget };
        this.#log.warn(fields, 'the search of the content filter would exceed its budget');
      },
    };
  }
}

export function createContentFilter(options: ContentFilterOptions, services: Services): PluginInstance {
  const { rules, service } = options;
  const filter = new ContentFilter(options, services);
  const ask = service && createService(service, services);
  return {
    rewrite: (draft) => {
      const selected = filter.inputRules(draft);
      const isAsked = service !== undefined && isInScope(service, { ...draft, model: draft.catalogId });
      if (selected.length === 0 && !isAsked) return undefined;
      const texts = new RequestTexts(draft, services.codec);
      const finishRewrite = (): Rewrite | undefined | Promise<Rewrite | undefined> =>
        isAsked && ask !== undefined ? ask(draft, texts).then(() => texts.write()) : texts.write();
      const filtering = filter.filterInput(draft, selected, texts);
      return filtering instanceof Promise ? filtering.then(finishRewrite) : finishRewrite();
    },
    admit: (exchange) => filter.annotate(exchange),
    ...(rules.some((rule) => rule.in.includes('output')) && { guard: (exchange) => filter.guardOutput(exchange) }),
    explain: (exchange) => ({
      input: filter.list('input', exchange),
      output: filter.list('output', exchange),
      service: service !== undefined && isInScope(service, exchange),
    }),
  };
}
