import type { EmbedRequest } from '../../../../core/api/index.ts';
import {
  isObject,
  type BodyEdit,
  type InboundRequest,
  type NativePlan,
  type TargetProfile,
} from '../../../../core/api/codec.ts';
import { resourceName } from '../../models.ts';
import { createTap } from './tap.ts';

/** The vendor requires every request of a batch to name the model of the path. */
const editModels = (body: unknown, name: string): readonly BodyEdit[] => {
  if (!isObject(body)) return [];
  const { model, requests } = body;
  const own: readonly BodyEdit[] = model === undefined || model === name ? [] : [{ member: 'model', value: name }];
  if (!Array.isArray(requests) || requests.every((request) => isObject(request) && request['model'] === name))
    return own;
  return [
    ...own,
    {
      member: 'requests',
      value: requests.map((request: unknown) => (isObject(request) ? { ...request, model: name } : request)),
    },
  ];
};

/** The client's bytes, with the target's model wherever they name one. */
export const native = ({ body }: InboundRequest, _request: EmbedRequest, { model }: TargetProfile): NativePlan => ({
  edits: editModels(body, resourceName(model)),
  headers: {},
  tap: createTap,
});
