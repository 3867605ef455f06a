import { isObject } from '../../canonical/json/members.ts';
import type { Part } from '../../canonical/part.ts';
import type { Tool } from '../../canonical/tool.ts';
import { defineFit } from '../../contracts/fit.ts';
import { describeField } from '../support/field-name.ts';
import { rewriteParts } from '../support/rewrite-parts.ts';
import type { PartStart } from '../../canonical/event.ts';
import { createBufferLimit } from '../../canonical/buffer-limit.ts';
import type { EventFilter } from '../../contracts/codec.ts';
import { parseJson } from '../../framing/json.ts';

/** The text in `{"input": "…"}`; the JSON itself if the model wrote something else. */
const unwrapInput = (json: string): string => {
  const parsed = parseJson(json);
  return isObject(parsed) && typeof parsed['input'] === 'string' ? parsed['input'] : json;
};

const keyOf = ({ choice, part }: { readonly choice: number; readonly part: number }): string => `${choice}/${part}`;

/**
 * Turns calls of the named functions back into custom calls. Their JSON is buffered until the part ends, because a
 * piece of a JSON string is not a piece of its text. An incomplete call is not sent, so that no client executes it.
 */
export function unwrapCustomCalls(names: ReadonlySet<string>): EventFilter {
  const held = new Map<string, string>();
  const keep = createBufferLimit();
  const begin = (event: PartStart): PartStart => {
    if (event.call === undefined || !names.has(event.call.name)) return event;
    held.set(keyOf(event), '');
    return { ...event, call: { ...event.call, kind: 'custom' } };
  };
  return {
    push(event, emit) {
      if (event.type === 'part-start') return emit(begin(event));
      if (held.size === 0 || (event.type !== 'part-delta' && event.type !== 'part-end')) return emit(event);
      const key = keyOf(event);
      const json = held.get(key);
      if (json === undefined) return emit(event);
      if (event.type === 'part-delta') {
        keep(event.text.length);
        held.set(key, json + event.text);
        return undefined;
      }
      held.delete(key);
      const text = unwrapInput(json);
      if (text !== '') emit({ type: 'part-delta', choice: event.choice, part: event.part, text });
      return emit(event);
    },
  };
}

const schema = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
};

/** A description of a custom tool's grammar. Chat completions nests it one level deeper than responses. */
const describeGrammar = (vendor: Tool['vendor']): string | undefined => {
  const format = isObject(vendor?.['format']) ? vendor['format'] : vendor;
  const grammar = isObject(format?.['grammar']) ? format['grammar'] : format;
  const definition = grammar?.['definition'];
  if (typeof definition !== 'string') return undefined;
  const syntax = typeof grammar?.['syntax'] === 'string' ? `${grammar['syntax']} ` : '';
  return `'input' must follow this ${syntax}grammar:\n${definition}`;
};

const wrapTool = (tool: Tool): Tool => {
  if (tool.kind !== 'custom') return tool;
  const { vendor, ...kept } = tool;
  const { format: _described, ...others } = vendor ?? {};
  const description = [tool.description, describeGrammar(vendor)].filter((text) => text !== undefined).join('\n\n');
  return {
    ...kept,
    kind: 'function',
    schema,
    ...(description === '' ? {} : { description }),
    ...(Object.keys(others).length === 0 ? {} : { vendor: others }),
  };
};

const wrapCall = (part: Part): Part =>
  part.type === 'tool-call' && part.kind === 'custom'
    ? { ...part, kind: 'function', input: JSON.stringify({ input: part.input }) }
    : part;

/**
 * Free-text tools for targets without them: functions with the text as their only argument. Reversed in the response.
 */
export const customToolsFit = defineFit({
  name: 'custom-tools',
  applies: ({ capabilities }) => capabilities.customTools === false,
  fit(request, _profile, { lose, client }) {
    const isDeclared = request.tools.some(({ kind }) => kind === 'custom');
    const turns = rewriteParts(request.turns, wrapCall);
    if (!isDeclared) return turns === request.turns ? undefined : { request: { ...request, turns } };
    const names = new Set(request.tools.filter(({ kind }) => kind === 'custom').map(({ name }) => name));
    lose(
      describeField(client, 'tools'),
      'approximated',
      'free-text tools were sent as functions with one text argument; a grammar is described, not enforced',
    );
    return {
      request: { ...request, turns, tools: request.tools.map(wrapTool) },
      reply: () => unwrapCustomCalls(names),
    };
  },
});
