import type { GenerateRequest, Part, Tool } from '../../../core/index.ts';
import type { Conversation } from './conversation.ts';
import { sampleSchema } from './sample.ts';

const CALL_ALL = /\bcall all tools\b/i;
const WORD = /[\w-]+/g;

/** Tells which names stand in a text as words of their own: `time` is not named in "sometimes". A name with other characters only has to occur. */
const createNameTest = (text: string): ((tool: Tool) => boolean) => {
  const words = new Set(text.match(WORD));
  return ({ name }) => words.has(name) || (/[^\w-]/.test(name) && text.includes(name));
};

/** Which tools are called now: none after results came back, those that the text names, or the one that the choice forces. */
const selectTools = (
  { tools, toolChoice, parallelTools }: GenerateRequest,
  { text, results }: Conversation,
): readonly Tool[] => {
  if (results.length > 0 || toolChoice?.mode === 'none') return [];
  const only = toolChoice?.only;
  const usable = tools.filter(({ kind, name }) => kind !== 'hosted' && (only === undefined || only.includes(name)));
  const named = CALL_ALL.test(text) ? usable : usable.filter(createNameTest(text));
  const called = named.length === 0 && toolChoice?.mode === 'required' ? usable.slice(0, 1) : named;
  return parallelTools === false ? called.slice(0, 1) : called;
};

const composeInput = ({ kind, schema }: Tool): string => {
  if (kind === 'custom') return 'sample';
  return schema === undefined ? '{}' : JSON.stringify(sampleSchema({ type: 'object', ...schema }));
};

/** The calls that this conversation asks for, with arguments made from the tools' schemas. @param id what makes the ids of this answer its own */
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
