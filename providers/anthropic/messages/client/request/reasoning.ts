import { invalidRequest, type JsonObject, type Reasoning } from '../../../../../core/api/index.ts';
import { lookUp, type Members, omitUndefined } from '../../../../../core/api/codec.ts';
import { nestExtra } from '../../extra-members.ts';

export interface DecodedReasoning {
  readonly reasoning?: Reasoning;
  /** `thinking` whole, if the canonical form cannot hold its type (`between_tools`); otherwise what it cannot hold. */
  readonly extra: JsonObject;
}

type Decode = (thinking: Members, effort: { readonly effort?: string }) => Reasoning;

/** Thinking is shown unless the client opts out. Other vendors have no further way to show it, such as `updates`. */
const showOf = (thinking: Members): { readonly show: boolean } => ({ show: thinking.string('display') !== 'omitted' });
const displayOf = (thinking: Members): JsonObject => {
  const display = thinking.string('display') ?? 'summarized';
  return display === 'summarized' || display === 'omitted' ? {} : { 'thinking.display': display };
};

const kinds: Readonly<Record<string, Decode>> = {
  enabled: (thinking, effort) => {
    const budget = thinking.number('budget_tokens', { integer: true, above: 0 });
    if (budget === undefined)
      throw invalidRequest(thinking.at('budget_tokens'), `'${thinking.at('budget_tokens')}' is required.`);
    return { budget, ...effort, ...showOf(thinking) };
  },
  // The vendor's default effort is `high`.
  adaptive: (thinking, { effort = 'high' }) => ({ effort, ...showOf(thinking) }),
  // Effort also changes how much a model writes, so it is kept although thinking is off.
  disabled: (_thinking, { effort }) => (effort === undefined ? { effort: 'none' } : { budget: 0, effort }),
};

/**
 * Combines `thinking` and `output_config.effort`. Effort alone leaves `show` unset: the client did not request
 * thinking.
 * https://platform.claude.com/docs/en/build-with-claude/extended-thinking, …/effort
 */
export function decodeReasoning(body: Members, config: Members | undefined): DecodedReasoning {
  const named = config?.string('effort');
  const effort = named === undefined ? {} : { effort: named };
  const thinking = body.object('thinking');
  if (thinking === undefined) return omitUndefined({ extra: {}, reasoning: named === undefined ? undefined : effort });
  const type = thinking.requiredString('type');
  const decode = lookUp(kinds, type);
  if (decode === undefined)
    return omitUndefined({
      extra: { thinking: body.value('thinking') },
      reasoning: named === undefined ? undefined : effort,
    });
  const reasoning = decode(thinking, effort);
  return { extra: { ...nestExtra('thinking', thinking), ...displayOf(thinking) }, reasoning };
}
