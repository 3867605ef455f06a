import type { ModelPage, OfferedModel, Operation } from '../../../core/api/index.ts';
import { omitUndefined, readObject, readObjects, readText } from '../../../core/api/codec.ts';

/** Models for speech, images, moderation, realtime sessions and plain completions. The list does not say what they do. */
const others =
  /^(?:dall-e|gpt-image|chatgpt-image|sora|tts|whisper|omni-moderation|text-moderation|babbage|davinci)\b|-(?:instruct|realtime|transcribe|tts|whisper|live)\b/;

const readOperations = (name: string): readonly Operation[] => {
  if (name.startsWith('text-embedding-')) return ['embed'];
  return others.test(name) ? [] : ['generate'];
};

/** https://platform.openai.com/docs/api-reference/models/list */
export const readModelPage = (body: unknown): ModelPage => ({
  models: readObjects(readObject(body)['data']).map(({ id, shutdown_date: end }): OfferedModel => {
    const name = readText(id);
    return omitUndefined({ name, operations: readOperations(name), ends: readText(end).slice(0, 10) || undefined });
  }),
});
