import type { OfferPage, OfferedModel, Operation } from '../../../core/api/index.ts';
import { omitUndefined, readObject, readObjects, readText } from '../../../core/api/codec.ts';
import { isSpeaker } from '../speech/edits.ts';

/** The list does not say what a model does. Others are for video, realtime and plain completions. */
const imageNames = /^(?:dall-e|(?:gpt|chatgpt)-image)\b/;
const otherNames = /^(?:sora|babbage|davinci)\b/;
const otherUses = /-(?:instruct|realtime|whisper|live)\b/;

const readOperations = (name: string): readonly Operation[] => {
  if (name.startsWith('text-embedding-')) return ['embed'];
  if (/^(?:omni|text)-moderation\b/.test(name)) return ['moderate'];
  if (imageNames.test(name)) return ['image'];
  if (isSpeaker(name)) return ['speak'];
  if (name.startsWith('whisper-')) return ['transcribe', 'translate'];
  if (otherNames.test(name) || otherUses.test(name)) return [];
  return /-transcribe\b/.test(name) ? ['transcribe'] : ['generate'];
};

/** https://platform.openai.com/docs/api-reference/models/list */
export const readModelPage = (body: unknown): OfferPage => ({
  models: readObjects(readObject(body)['data']).map(({ id, shutdown_date: end }): OfferedModel => {
    const name = readText(id);
    return omitUndefined({ name, operations: readOperations(name), ends: readText(end).slice(0, 10) || undefined });
  }),
});
