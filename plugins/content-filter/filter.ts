import {
  GatewayError,
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
import { applyRules, type RuleRecords } from './apply-rules.ts';
import { listTexts, replaceTexts } from './request-text.ts';
import { compileRule, isInScope, selectRules, type Rule } from './rules.ts';
import type { ContentFilterOptions, Direction } from './schema.ts';
import { createService } from './service.ts';
import { Budget, finish, Turns, type Work } from './steps.ts';

type Findings = Record<string, string>;
type Signalled = Pick<Draft, 'id' | 'signal'>;

/**
 * The rules that have found something, by request: the fields of its records. Before `admit`, the signal is what
 * identifies a request.
 */
class FindingsByRequest {
  readonly #all = new WeakMap<AbortSignal, Findings>();

  of({ signal }: Signalled): Findings {
    const found = this.#all.get(signal) ?? {};
    this.#all.set(signal, found);
    return found;
  }

  add(request: Signalled, { name }: Rule): void {
    const found = this.of(request);
    const { matched } = found;
    if (matched === undefined) found['matched'] = name;
    else if (!matched.split(' ').includes(name)) found['matched'] = `${matched} ${name}`;
  }
}

const overBudget = ({ name }: Rule, what: string): string =>
  `The content filter of this gateway cannot search this ${what}: it is too long for its rule "${name}".`;

/** The rules of one configuration, and what they have found. */
class ContentFilter {
  readonly #rules: readonly Rule[];
  readonly #budget: number;
  readonly #findings = new FindingsByRequest();
  readonly #matches: Metric;
  readonly #overBudget: Metric;
  readonly #log: Log;
  readonly #turns: Turns;

  constructor({ rules, budget }: ContentFilterOptions, { metrics, log, shared }: Services) {
    this.#rules = rules.map(compileRule);
    this.#budget = budget;
    this.#log = log;
    this.#turns = shared('content-filter/turns', () => new Turns());
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

  /**
   * @returns a promise only if the texts are long
   * @throws GatewayError `content_filter` if a rule refuses the request, `request_too_large` if it cannot be searched
   */
  filterInput(draft: Draft): Draft['request'] | Promise<Draft['request']> {
    const rules = selectRules(this.#rules, 'input', { ...draft, model: draft.catalogId });
    return rules.length === 0 ? draft.request : this.#turns.run(this.#filterTexts(draft, rules), draft.signal);
  }

  *#filterTexts(draft: Draft, rules: readonly Rule[]): Work<Draft['request']> {
    const records = this.#recordsOf(draft, 'input');
    const budget = new Budget(this.#budget);
    const texts = listTexts(draft.request);
    const changed: string[] = [];
    for (const { text, isJson } of texts) {
      const { text: filtered, refusedBy, isOverBudget } = yield* applyRules(rules, text, { isJson }, budget, records);
      if (refusedBy !== undefined)
        throw isOverBudget === true
          ? new GatewayError('request_too_large', `${overBudget(refusedBy, 'request')} Send a shorter one.`)
          : new GatewayError('content_filter', refusedBy.refusal);
      changed.push(filtered);
    }
    return changed.some((text, index) => text !== texts[index]?.text)
      ? replaceTexts(draft.request, changed)
      : draft.request;
  }

  guardOutput(exchange: Exchange): Guard | undefined {
    const rules = selectRules(this.#rules, 'output', exchange);
    if (rules.length === 0) return undefined;
    const window = Math.max(...rules.map(({ maxLength }) => maxLength)) - 1;
    const records = this.#recordsOf(exchange, 'output');
    return {
      window,
      inspect: (text, { kind, call, isEnd }) => {
        const isJson = kind === 'tool-call' && call?.kind !== 'custom';
        const place = isEnd ? { isJson } : { isJson, heldBack: window };
        const work = applyRules(rules, text, place, new Budget(this.#budget), records);
        const { text: filtered, refusedBy, isOverBudget } = finish(work);
        if (refusedBy !== undefined)
          return { refuse: isOverBudget === true ? overBudget(refusedBy, 'response') : refusedBy.refusal };
        return filtered === text ? 'pass' : { replace: filtered };
      },
    };
  }

  /** For the records of the request. The guard adds to the fields until the request ends. */
  annotate(exchange: Exchange): Admission {
    const fields = this.#findings.of(exchange);
    return { annotations: { log: fields, tags: fields } };
  }

  list(direction: Direction, exchange: Exchange): readonly object[] {
    return selectRules(this.#rules, direction, exchange).map(({ name, action }) => ({ rule: name, action }));
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
  const finishRewrite = (draft: Draft, request: Draft['request']): Rewrite | undefined | Promise<Rewrite> => {
    if (service !== undefined && ask !== undefined && isInScope(service, { ...draft, model: draft.catalogId }))
      return ask(draft, request).then((decided) => ({ request: decided }));
    return request === draft.request ? undefined : { request };
  };
  return {
    rewrite: (draft) => {
      const filtered = filter.filterInput(draft);
      return filtered instanceof Promise
        ? filtered.then((request) => finishRewrite(draft, request))
        : finishRewrite(draft, filtered);
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
