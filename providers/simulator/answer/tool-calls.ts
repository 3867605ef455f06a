import type { GenerateRequest, Part, Tool } from '../../../core/api/index.ts';
import type { Conversation } from './conversation.ts';
import { sampleSchema } from './sample.ts';

const CALL_ALL = /\bcall all tools\b/i;
const WORD = /[\w-]+/g;

/** The tools of an agent are more, and its prompts have the words of many of their names. */
const FEW_TOOLS = 4;

/**
 * Tests whether the text names a tool as a whole word: "sometimes" does not name `time`. A name with characters other
 * than word characters only has to occur. Among few tools, the last word of a name is enough: "What's the weather?"
 * names `get_weather`.
 */
const createNameTest = (text: string, isFew: boolean): ((tool: Tool) => boolean) => {
  const words = new Set(text.match(WORD));
  const plain = new Set(text.toLowerCase().match(WORD));
  return ({ name }) => {
    if (words.has(name) || (/[^\w-]/.test(name) && text.includes(name))) return true;
    const last = /[_-]([a-z]{4,})$/.exec(name)?.[1];
    return isFew && last !== undefined && plain.has(last);
  };
};

/** The tools to call: those that the text names, or the one that the choice forces. After results, none. */
const selectTools = (
  { tools, toolChoice, parallelTools }: GenerateRequest,
  { text, results }: Conversation,
): readonly Tool[] => {
  if (results.length > 0 || toolChoice?.mode === 'none') return [];
  const only = toolChoice?.only;
  const usable = tools.filter(({ kind, name }) => kind !== 'hosted' && (only === undefined || only.includes(name)));
  const named = CALL_ALL.test(text) ? usable : usable.filter(createNameTest(text, tools.length <= FEW_TOOLS));
  const called = named.length === 0 && toolChoice?.mode === 'required' ? usable.slice(0, 1) : named;
  return parallelTools === false ? called.slice(0, 1) : called;
};

const composeInput = ({ kind, schema }: Tool): string => {
  if (kind === 'custom') return 'sample';
  return schema === undefined ? '{}' : JSON.stringify(sampleSchema({ type: 'object', ...schema }));
};

/** The tool calls, with arguments made from the tools' schemas. @param id makes the call ids unique to the response */
export function composeCalls(request: GenerateRequest, conversation: Conversation, id: string): readonly Part[] {
  if (request.tools.length === 0) return [];
  return selectTools(request, conversation).map((tool, index) => ({
    type: 'tool-call',
    id: `call_${id}${index}`,
    name: tool.name,
    kind: tool.kind === 'custom' ? 'custom' : 'function',
    input: composeInput(tool),
  }));
}
