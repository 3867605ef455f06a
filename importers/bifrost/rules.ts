import type { JsonObject } from '../../core/api/index.ts';
import { isObject, omitUndefined, readList, readObject } from '../../core/api/codec.ts';
import type { ConfigPath } from '../../core/api/internal.ts';
import type { Note } from '../shared/notes.ts';
import { numberOf, textOf } from '../shared/read.ts';

export interface RuleTarget {
  /** Absent: that of the request. */
  readonly provider?: string;
  readonly model?: string;
  readonly weight: number;
  /** The only key of the provider that is used. */
  readonly keyId?: string;
}

/** A routing rule that selects requests by their model alone. */
export interface Rule {
  readonly at: ConfigPath;
  readonly model: string;
  readonly targets: readonly RuleTarget[];
  readonly fallbacks: readonly RuleTarget[];
}

const BY_MODEL = /^\s*(?:request\.)?model\s*==\s*(["'])([^"']+)\1\s*$/;

const readFallback = (written: unknown): RuleTarget => {
  const text = textOf(written) ?? '';
  const slash = text.indexOf('/');
  const [provider, model] = isObject(written)
    ? [textOf(written['provider']), textOf(written['model'])]
    : slash < 0
      ? [text, undefined]
      : [text.slice(0, slash), textOf(text.slice(slash + 1))];
  return omitUndefined({ provider, model, weight: 0 });
};

const readTarget = (written: JsonObject): RuleTarget =>
  omitUndefined({
    provider: textOf(written['provider']),
    model: textOf(written['model']),
    weight: Math.max(0, numberOf(written['weight']) ?? 1),
    keyId: textOf(written['key_id']),
  });

/** A target has the name of one model: only in a model for any name does `*` stand for it. */
const keepNamed = (targets: readonly RuleTarget[], at: ConfigPath, note: Note): readonly RuleTarget[] => {
  const named = targets.filter(({ model }) => model?.includes('*') !== true);
  if (named.length < targets.length)
    note(at, 'Targets with a "*" in the name of their model are left out.', ['models']);
  return named;
};

/** Why a rule cannot be imported. */
const refuse = (rule: JsonObject): string | undefined => {
  if (!BY_MODEL.test(textOf(rule['cel_expression']) ?? ''))
    return 'Requests are not routed by expressions other than model == "…".';
  if ((textOf(rule['scope']) ?? 'global') !== 'global') return 'The targets of a model are the same for all callers.';
  return rule['chain_rule'] === true ? 'Rules are not chained.' : undefined;
};

/** Reads `governance.routing_rules`, in the order in which they are evaluated. */
export function readRules(source: JsonObject, note: Note): readonly Rule[] {
  const rules = readList(readObject(source['governance'])['routing_rules'])
    .map((written, index) => ({ rule: readObject(written), index }))
    .toSorted((one, other) => (numberOf(one.rule['priority']) ?? 0) - (numberOf(other.rule['priority']) ?? 0));
  const found = new Map<string, Rule>();
  for (const { rule, index } of rules) {
    const at: ConfigPath = ['governance', 'routing_rules', index];
    const reason = refuse(rule);
    if (rule['enabled'] === false) note([...at, 'enabled'], 'The rule is disabled, so it is left out.');
    else if (reason !== undefined)
      note(at, `The rule is not imported. ${reason} Add a model with its targets, and let clients use its name.`, [
        'models',
      ]);
    else {
      const model = BY_MODEL.exec(textOf(rule['cel_expression']) ?? '')?.[2] ?? '';
      const targets = readList(rule['targets']).filter(isObject);
      if (found.has(model)) note(at, 'An earlier rule selects the same model, so this one is left out.', ['models']);
      else
        found.set(model, {
          at,
          model,
          targets: keepNamed(targets.map(readTarget), at, note),
          fallbacks: keepNamed(readList(rule['fallbacks']).map(readFallback), at, note),
        });
    }
  }
  return [...found.values()];
}
