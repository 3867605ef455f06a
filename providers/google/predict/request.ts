import type { EmbedRequest, JsonObject } from '../../../core/api/index.ts';
import {
  omitUndefined,
  readObject,
  readObjects,
  readText,
  type Lose,
  type TargetProfile,
} from '../../../core/api/codec.ts';
import { encodeRequest } from '../embed-content/upstream/request.ts';

/** The requests of a batch of `embed-content`, which has the same members under other names. */
const encodeBatch = (request: EmbedRequest, profile: TargetProfile, lose: Lose): readonly JsonObject[] =>
  readObjects(encodeRequest(request, profile, lose).body['requests']);

const textOf = (content: unknown): string => readText(readObjects(readObject(content)['parts'])[0]?.['text']);

/** A request of `:predict`. All instances share the size of the vectors. */
export function encodePredict(request: EmbedRequest, profile: TargetProfile, lose: Lose) {
  const batch = encodeBatch(request, profile, lose);
  const instances = batch.map(({ content, taskType, task_type: snakeCase, title }) =>
    omitUndefined({ content: textOf(content), task_type: taskType ?? snakeCase, title }),
  );
  const [size] = batch.map(({ outputDimensionality }) => outputDimensionality);
  return {
    body: { instances, ...(size === undefined ? {} : { parameters: { outputDimensionality: size } }) },
    headers: {},
  };
}

/** The request for a model that embeds one text in each call (`maxInputs` of the endpoint). */
export function encodeSingle(request: EmbedRequest, profile: TargetProfile, lose: Lose) {
  const [{ model: _model, content, ...config } = {}] = encodeBatch(request, profile, lose);
  return {
    body: { content, ...(Object.keys(config).length === 0 ? {} : { embedContentConfig: config }) },
    headers: {},
  };
}
