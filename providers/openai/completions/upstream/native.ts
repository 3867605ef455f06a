import type { GenerateRequest } from '../../../../core/api/index.ts';
import {
  type BodyEdit,
  isObject,
  readObject,
  type TargetProfile,
  type UpstreamSide,
} from '../../../../core/api/codec.ts';
import { createTap } from './tap.ts';

/** Usage is always requested, except from a server that refuses the member. The tap withholds an unwanted chunk. */
const editStreamOptions = (
  body: unknown,
  { stream, includeUsage }: GenerateRequest,
  { refusesUsageOption = false }: TargetProfile,
): readonly BodyEdit[] =>
  stream && !includeUsage && !refusesUsageOption
    ? [
        {
          member: 'stream_options',
          value: { ...readObject(isObject(body) ? body['stream_options'] : undefined), include_usage: true },
        },
      ]
    : [];

/** The client's bytes with the target's name of the model. */
export const native: UpstreamSide<'generate'>['native'] = ({ body }, request, profile) => ({
  edits: [{ member: 'model', value: profile.model }, ...editStreamOptions(body, request, profile)],
  headers: {},
  tap: () => createTap(request, profile),
});
