import type { GenerateRequest, Part, ToolResultPart, Turn } from '../../../core/api/index.ts';
import { readCallNames } from '../../../core/api/internal.ts';

/** What the response refers to: the newest user text, or the tool results at the end of the conversation. */
export interface Conversation {
  /** The text of the newest user turn that has text. */
  readonly text: string;
  /** The tool results at the end of the conversation; empty when it ends with a question. */
  readonly results: readonly ToolResult[];
}

export interface ToolResult {
  readonly tool: string;
  readonly text: string;
  readonly failed: boolean;
}

/** The texts of the parts, one per line. */
const readText = (parts: readonly Part[]): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');

const readLastUserText = (turns: readonly Turn[]): string => {
  const turn = turns.findLast(({ role, parts }) => role === 'user' && parts.some((part) => part.type === 'text'));
  return turn === undefined ? '' : readText(turn.parts);
};

const resultsOf = (turn: Turn | undefined): readonly ToolResultPart[] =>
  turn?.parts.filter((part) => part.type === 'tool-result') ?? [];

/** The same list for wires that put each result in its own turn and for wires that put all results in one. */
const readTrailingResults = (turns: readonly Turn[]): readonly ToolResultPart[] => {
  const spoken = turns.filter(({ role }) => role !== 'system');
  const first = spoken.findLastIndex((turn) => resultsOf(turn).length === 0) + 1;
  return spoken.slice(first).flatMap(resultsOf);
};

export function readConversation({ turns }: GenerateRequest): Conversation {
  const text = readLastUserText(turns);
  const parts = readTrailingResults(turns);
  if (parts.length === 0) return { text, results: [] };
  const names = readCallNames(turns);
  return {
    text,
    results: parts.map((part) => ({
      tool: part.name ?? names.get(part.id) ?? part.id,
      text: readText(part.parts),
      failed: part.failed,
    })),
  };
}
