import type { EndpointWire } from '../../../core/api/index.ts';
import { isObject } from '../../../core/api/codec.ts';
import { createEdits } from './index.ts';

const INNER_REQUEST = 'generateContentRequest';

/** The edits of a model for token counts, where the request is nested in `generateContentRequest`. */
export function createCountEdits(model: string): Pick<EndpointWire, 'edits'> {
  const { edits } = createEdits(model);
  if (edits === undefined) return {};
  return {
    edits: (body, context) => {
      const inner = body[INNER_REQUEST];
      if (!isObject(inner)) return edits(body, context);
      const made = edits(inner, context);
      return made.length === 0
        ? []
        : [
            {
              member: INNER_REQUEST,
              value: { ...inner, ...Object.fromEntries(made.map(({ member, value }) => [member, value])) },
            },
          ];
    },
  };
}
