import {
  createLinkClient,
  createLinkServer,
  type HandleRequest,
  type LinkClient,
} from '../../../../core/server/link/link.ts';
import type { LinkResponse } from '../../../../core/server/link/messages.ts';

/** Both ends of a link, and the responses, cloned as between threads. */
export interface Linked {
  readonly worker: LinkClient;
  readonly responses: LinkResponse[];
}

export const linkTo = (answer: HandleRequest, number = 3): Linked => {
  const responses: LinkResponse[] = [];
  const receive = createLinkServer(answer, number, (response, moved) => {
    const carried = structuredClone(response, { transfer: [...moved] });
    responses.push(carried);
    setImmediate(() => worker.receive(carried));
  });
  const worker = createLinkClient((request) => {
    const carried = structuredClone(request);
    setImmediate(() => receive(carried));
  });
  return { worker, responses };
};

export const rejectionOf = async (answer: unknown): Promise<unknown> => {
  try {
    return `it resolved with ${JSON.stringify(await answer)}`;
  } catch (error) {
    return error;
  }
};
