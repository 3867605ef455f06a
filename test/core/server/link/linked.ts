import { createLinkServer } from '../../../../core/server/link/link-server.ts';
import { createLinkClient, type HandleRequest, type LinkClient } from '../../../../core/server/link/link.ts';
import type { LinkRequest, LinkResponse } from '../../../../core/server/link/messages.ts';

/** Both ends of a link, and the messages between them, as JSON like between processes. */
export interface Linked {
  readonly worker: LinkClient;
  readonly requests: (readonly LinkRequest[])[];
  readonly responses: (readonly LinkResponse[])[];
}

const carry = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

export const linkTo = (answer: HandleRequest, number = 3): Linked => {
  const requests: (readonly LinkRequest[])[] = [];
  const responses: (readonly LinkResponse[])[] = [];
  const receive = createLinkServer(answer, number, (batch) => {
    const carried = carry(batch);
    responses.push(carried);
    worker.receive(carried);
  });
  const worker = createLinkClient((batch) => {
    const carried = carry(batch);
    requests.push(carried);
    receive(carried);
  });
  return { worker, requests, responses };
};

export const rejectionOf = async (answer: unknown): Promise<unknown> => {
  try {
    return `it resolved with ${JSON.stringify(await answer)}`;
  } catch (error) {
    return error;
  }
};
