import type { Running } from '../gateways/processes.ts';

/** A figure that is no processor time of a turn. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
}

/** A measurement that has gateways of its own. */
export interface Extra {
  readonly name: string;
  readonly title: string;
  run(upstream: Running): Promise<readonly Figure[]>;
}
