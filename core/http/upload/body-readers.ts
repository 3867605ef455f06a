import { createBodyReader, type BodyLimits, type ReadBody } from '../request/body.ts';
import type { BodyPace } from '../request/body-pace.ts';
import { createFormReader, type ReadUpload } from './upload.ts';

/** How the bodies of a route are read. */
export interface BodyReaders {
  readonly readBody: ReadBody;
  readonly readForm: ReadUpload;
}

/** The largest form of a route that sets no `bodyLimit`. Files lie on disk, so it is not that of other bodies. */
const FORM_BYTES = 104_857_600;

/** Creates the readers of each limit once: most routes share one. */
export function createBodyReaders(serverLimit: number, pace: BodyPace): (bodyLimit: number | undefined) => BodyReaders {
  const known = new Map<number | undefined, BodyReaders>();
  return (bodyLimit) => {
    const found = known.get(bodyLimit);
    if (found !== undefined) return found;
    const limits = (usual: number, setting: string): BodyLimits => ({
      limit: bodyLimit ?? usual,
      origin: ` (${bodyLimit === undefined ? setting : 'bodyLimit of the route'})`,
      pace,
    });
    const readers = {
      readBody: createBodyReader(limits(serverLimit, 'server.bodyLimit')),
      readForm: createFormReader(limits(FORM_BYTES, 'bodyLimit of the route')),
    };
    known.set(bodyLimit, readers);
    return readers;
  };
}
