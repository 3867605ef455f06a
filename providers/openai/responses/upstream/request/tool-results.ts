import type { JsonObject, ToolResultPart } from '../../../../../core/api/index.ts';
import { encodeContent, type PartContext } from './parts.ts';

const FAILED = 'Error: ';

const isPlain = (content: readonly JsonObject[]): boolean =>
  content.length === 1 && content[0]?.['type'] === 'input_text' && Object.keys(content[0]).length === 2;

/** A single text is written as a string, which every server of this wire takes. */
const encodeOutput = ({ parts, failed }: ToolResultPart, context: PartContext): unknown => {
  const content = encodeContent(parts, 'user', context);
  const output = failed ? [{ type: 'input_text', text: FAILED }, ...content] : content;
  if (content.length === 0) return failed ? FAILED.trim() : '';
  if (!isPlain(content)) return output;
  return output.map((part) => part['text']).join('');
};

/** @param call the call: whether it was of a custom tool, and its id */
export function encodeResult(
  result: ToolResultPart,
  { custom, callId }: { readonly custom: boolean; readonly callId: string },
  context: PartContext,
): JsonObject {
  if (result.failed)
    context.lose(
      `${context.path}.failed`,
      'approximated',
      `outputs have no flag for failure; the text begins with '${FAILED.trim()}'`,
    );
  return {
    type: custom ? 'custom_tool_call_output' : 'function_call_output',
    call_id: callId,
    output: encodeOutput(result, context),
  };
}
