import type { JsonObject } from '../../canonical/wire.ts';
import type { ServerConfig } from '../gateway-config.ts';
import { optional, section, setting } from './section.ts';

/** `server.overload` */
export const overload = optional(
  section(
    'Thresholds above which the process refuses further requests: with 503, or with 429 when a single key uses too ' +
      'much. Requests and forms are counted over all workers; lag, memory and steps are those of each.',
    {
      inFlight: setting('Requests in progress.', { type: 'integer', minimum: 1, default: 2_000 }),
      lag: setting('Sustained delay of the event loop.', { $ref: '#/definitions/duration', default: '1s' }),
      memory: setting(
        'Memory that the bodies of open requests take: four times their size, and 120 bytes for each member of an ' +
          'object. Default: a third of the heap of the process, at most 512mb.',
        { $ref: '#/definitions/size' },
      ),
      steps: setting(
        'Steps of computation for requests within some ten seconds, such as searches for patterns of the content ' +
          'filter. A million steps take about 10 ms.',
        { type: 'integer', minimum: 1_000_000, default: 500_000_000 },
      ),
      uploads: setting('Multipart forms (audio, images) in progress.', { type: 'integer', minimum: 1, default: 200 }),
      disk: setting('Space that the files of open forms take in the folder of temporary files.', {
        $ref: '#/definitions/size',
        default: '4gb',
      }),
      perKey: setting(
        'The share of each of these but lag that one key can use while no other key is active. ' +
          'The more keys are active, the less each can use. 1: nothing is kept free for other keys.',
        { type: 'number', exclusiveMinimum: 0, maximum: 1, default: 0.9 },
      ),
    } satisfies Record<keyof ServerConfig['overload'], JsonObject>,
  ),
);
