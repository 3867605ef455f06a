import { isObject } from '../../../core/api/codec.ts';
import type { Edit } from './edit.ts';

const configs = ['generationConfig', 'generation_config'] as const;
const penalties: ReadonlySet<string> = new Set([
  'presencePenalty',
  'frequencyPenalty',
  'presence_penalty',
  'frequency_penalty',
]);

/** Gemini 2.5 accepts penalties only on Vertex AI; the Gemini API rejects them. */
export const dropPenalties: Edit = (body, lose) =>
  configs.flatMap((member) => {
    const config = body[member];
    if (!isObject(config)) return [];
    const refused = Object.keys(config).filter((name) => penalties.has(name) && config[name] !== null);
    if (refused.length === 0) return [];
    for (const name of refused) lose(`${member}.${name}`, 'dropped', 'the model rejects penalties');
    return [{ member, value: Object.fromEntries(Object.entries(config).filter(([name]) => !penalties.has(name))) }];
  });
