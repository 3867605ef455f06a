import type { OfferPage, OfferedModel, Operation } from '../../../core/api/index.ts';
import { omitUndefined, readObject, readObjects, readText } from '../../../core/api/codec.ts';

/** Models for speech, images, moderation, realtime and plain completions: the list does not say what a model does. */
const otherNames = /^(?:dall-e|(?:gpt|chatgpt)-image|sora|tts|whisper|(?:omni|text)-moderation|babbage|davinci)\b/;
const otherUses = /-(?:instruct|realtime|transcribe|tts|whisper|live)\b/;

const readOperations = (name: string): readonly Operation[] => {
  if (name.startsWith('text-embedding-')) return ['embed'];
  return otherNames.test(name) || otherUses.test(name) ? [] : ['generate'];
};

/** https://platform.openai.com/docs/api-reference/models/list */
export const readModelPage = (body: unknown): OfferPage => ({
  models: readObjects(readObject(body)['data']).map(({ id, shutdown_date: end }): OfferedModel => {
    const name = readText(id);
    return omitUndefined({ name, operations: readOperations(name), ends: readText(end).slice(0, 10) || undefined });
  }),
});
