import type { Choice, GenerateResponse, JsonObject } from '../../../../core/api/index.ts';
import { type WriteContext, writeExtraMembers } from '../../../../core/api/codec.ts';
import { UNNAMED } from '../../chat-completions/client/response/response.ts';
import { writeLegacyLogprobs } from '../../chat-completions/logprobs.ts';
import { writeFinish } from '../finish.ts';
import { WIRE } from '../shape.ts';
import { markEstimated, writeUsage } from '../usage.ts';

/** Names a part that a completion cannot hold. */
export const losePart = (choice: number, type: string, { lose }: Pick<WriteContext, 'lose'>): void =>
  lose(`choices[${choice}].${type}`, 'dropped', 'completions holds text only');

const textOf = ({ parts, finish }: Choice, index: number, context: WriteContext): string => {
  let text = '';
  for (const part of parts) {
    if (part.type === 'text' || part.type === 'refusal') text += part.text;
    else losePart(index, part.type, context);
    if (part.type === 'text' && part.citations !== undefined) losePart(index, 'citations', context);
  }
  return text === '' ? (finish.explanation ?? '') : text;
};

/** Some vendors send log probabilities without being asked. */
const encodeLogprobs = ({ parts }: Choice, { request }: WriteContext): JsonObject | null => {
  if (request.logprobs === undefined) return null;
  const tokens = parts.flatMap((part) => ('logprobs' in part ? (part.logprobs ?? []) : []));
  return tokens.length === 0 ? null : writeLegacyLogprobs(tokens, 0);
};

const encodeChoice = (choice: Choice, index: number, context: WriteContext): JsonObject => ({
  text: textOf(choice, index, context),
  index,
  logprobs: encodeLogprobs(choice, context),
  ...writeExtraMembers(choice.extra, WIRE, context.lose, `choices[${index}].`),
  finish_reason: writeFinish(choice.finish),
});

/** https://platform.openai.com/docs/api-reference/completions/object */
export const encodeResponse = (response: GenerateResponse, context: WriteContext): JsonObject => ({
  id: response.id === undefined || response.id === '' ? context.newId('cmpl-') : response.id,
  object: 'text_completion',
  created: context.created,
  model: response.model ?? UNNAMED,
  choices: response.choices.map((choice, index) => encodeChoice(choice, index, context)),
  ...(response.usage === undefined ? {} : { usage: writeUsage(response.usage) }),
  ...markEstimated(response.usage),
  ...writeExtraMembers(response.extra, WIRE, context.lose),
});
