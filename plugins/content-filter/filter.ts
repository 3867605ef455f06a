import {
  GatewayError,
  type Admission,
  type Draft,
  type Exchange,
  type Guard,
  type Metric,
  type Metrics,
  type PluginInstance,
  type Services,
} from '../../core/api/index.ts';
import { applyRules, type OnFound } from './apply-rules.ts';
import { changeTexts } from './request-text.ts';
import { compileRule, isInScope, selectRules, type Rule } from './rules.ts';
import type { ContentFilterOptions, Direction } from './schema.ts';
import { createService } from './service.ts';

type Findings = Record<string, string>;
type Signalled = Pick<Draft, 'signal'>;

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

/** The rules of one configuration, and what they have found. */
class ContentFilter {
  readonly #rules: readonly Rule[];
  readonly #findings = new FindingsByRequest();
  readonly #matches: Metric;

  constructor(rules: readonly Rule[], metrics: Metrics) {
    this.#rules = rules;
    this.#matches = metrics.counter(
      'koine_content_filter_matches_total',
      'Texts that a rule of the content filter found.',
      ['rule', 'in', 'action'],
    );
  }

  /** @throws GatewayError `content_filter` if a rule refuses the request */
  filterInput(draft: Draft): Draft['request'] {
    const rules = selectRules(this.#rules, 'input', { ...draft, model: draft.catalogId });
    if (rules.length === 0) return draft.request;
    const note = this.#noteFor(draft, 'input');
    return changeTexts(draft.request, (text, isJson) => {
      const { text: filtered, refusedBy } = applyRules(rules, text, { isJson }, note);
      if (refusedBy !== undefined) throw new GatewayError('content_filter', refusedBy.refusal);
      return filtered;
    });
  }

  guardOutput(exchange: Exchange): Guard | undefined {
    const rules = selectRules(this.#rules, 'output', exchange);
    if (rules.length === 0) return undefined;
    const window = Math.max(...rules.map(({ maxLength }) => maxLength)) - 1;
    const note = this.#noteFor(exchange, 'output');
    return {
      window,
      inspect: (text, { kind, call, isEnd }) => {
        const isJson = kind === 'tool-call' && call?.kind !== 'custom';
        const place = isEnd ? { isJson } : { isJson, heldBack: window };
        const { text: filtered, refusedBy } = applyRules(rules, text, place, note);
        if (refusedBy !== undefined) return { refuse: refusedBy.refusal };
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

  #noteFor(request: Signalled, direction: Direction): OnFound {
    return (rule, count) => {
      this.#matches.bind([rule.name, direction, rule.action])(count);
      this.#findings.add(request, rule);
    };
  }
}

export function createContentFilter({ rules, service }: ContentFilterOptions, services: Services): PluginInstance {
  const filter = new ContentFilter(rules.map(compileRule), services.metrics);
  const ask = service && createService(service, services);
  return {
    rewrite: (draft) => {
      const request = filter.filterInput(draft);
      if (service !== undefined && ask !== undefined && isInScope(service, { ...draft, model: draft.catalogId }))
        return ask(draft, request).then((decided) => ({ request: decided }));
      return request === draft.request ? undefined : { request };
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
