import type { GenerateRequest, JsonObject, Turn } from '../../../../../core/api/index.ts';
import { isObject, type DecodedRequest } from '../../../../../core/api/codec.ts';
import { markForm } from '../../request-form.ts';
import { WIRE } from '../../shape.ts';

type Settings = { -readonly [Name in keyof GenerateRequest]?: GenerateRequest[Name] };

/** Text of the three roles that need no further member. */
const readTurn = (message: unknown): Turn | undefined => {
  if (!isObject(message)) return undefined;
  for (const name in message) if (name !== 'role' && name !== 'content') return undefined;
  const { role, content } = message;
  if (role !== 'user' && role !== 'system' && role !== 'assistant') return undefined;
  return typeof content === 'string' && content !== '' ? { role, parts: [{ type: 'text', text: content }] } : undefined;
};

const readTurns = (messages: unknown): readonly Turn[] | undefined => {
  if (!Array.isArray(messages) || messages.length === 0) return undefined;
  const turns: Turn[] = [];
  for (const message of messages) {
    const turn = readTurn(message);
    if (turn === undefined) return undefined;
    turns.push(turn);
  }
  return turns;
};

const isCap = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 1;

/** Reads one setting. @returns false if the full decoder has to read it, or to refuse it */
const readSetting = (settings: Settings, name: string, value: unknown): boolean => {
  switch (name) {
    case 'max_tokens':
    case 'max_completion_tokens':
      // With both caps, the full decoder chooses.
      if (!isCap(value) || settings.maxTokens !== undefined) return false;
      settings.maxTokens = value;
      return true;
    case 'temperature':
      if (typeof value !== 'number' || value < 0 || value > 2) return false;
      settings.temperature = value;
      return true;
    case 'top_p':
      if (typeof value !== 'number') return false;
      settings.topP = value;
      return true;
    case 'user':
      if (typeof value !== 'string') return false;
      settings.user = value;
      return true;
    case 'stream':
      if (typeof value !== 'boolean') return false;
      settings.stream = value;
      return true;
    default:
      return false;
  }
};

/**
 * Decodes the shape that most requests have: messages of text, and plain settings. Where it decodes a request, the full
 * decoder makes the same of it, which a test compares.
 * @returns undefined for any other request, right or wrong: the full decoder then reads it
 */
export function decodeCommon(body: Readonly<JsonObject>): DecodedRequest<'generate'> | undefined {
  const { model } = body;
  if (typeof model !== 'string') return undefined;
  const settings: Settings = {};
  for (const name in body)
    if (name !== 'model' && name !== 'messages' && !readSetting(settings, name, body[name])) return undefined;
  const turns = readTurns(body['messages']);
  if (turns === undefined) return undefined;
  const { stream = false } = settings;
  const request: GenerateRequest = {
    wire: WIRE,
    turns,
    tools: [],
    choices: 1,
    ...settings,
    stream,
    includeUsage: false,
    extra: { wire: WIRE, members: {} },
  };
  if (!('max_tokens' in body)) return { model, request };
  return { model, request: markForm(request, { olderCap: true, reasoningObject: false, functions: false }) };
}
