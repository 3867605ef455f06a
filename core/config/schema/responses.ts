import type { JsonObject } from '../../canonical/wire.ts';
import type { ResponsesConfig } from '../responses-config.ts';
import { optional, section, setting } from './section.ts';

export const responsesSchema = optional(
  section('Responses of the wire responses.', {
    items: optional(
      section(
        'What the gateway keeps of translated responses, so that item_reference and previous_response_id work on any ' +
          'target. Requests with store: false keep nothing.',
        {
          for: setting('For how long. 0s: not at all.', { $ref: '#/definitions/duration', default: '30m' }),
          size: setting('How much memory of a host it takes at most. With Redis it is in Redis.', {
            $ref: '#/definitions/size',
            default: '64mb',
          }),
        } satisfies Record<keyof ResponsesConfig['items'], JsonObject>,
      ),
    ),
  } satisfies Record<keyof ResponsesConfig, JsonObject>),
);
