import type { FuzzReply } from '../http.ts';

/** A response as a gateway with a fault would send it. @param session of another person */
export function plantFault(reply: FuzzReply, number: number, session: string): FuzzReply {
  const { headers, text } = reply;
  const faults: readonly (() => FuzzReply)[] = [
    () => ({ ...reply, headers: { ...headers, location: 'https://evil.example' } }),
    () => ({ ...reply, headers: { ...headers, 'x-injected': '1' } }),
    () => ({ ...reply, headers: { ...headers, 'set-cookie': [`${session}; Path=/`] } }),
    () => ({ ...reply, headers: { ...headers, 'set-cookie': [] } }),
    () => ({ ...reply, headers: { ...headers, 'set-cookie': [] } }),
    () => ({ ...reply, text: `${text}<fuzz>` }),
    () => ({ ...reply, text: `${text}<meta http-equiv="refresh" content="0; url=//evil.example">` }),
  ];
  return faults[number % faults.length]?.() ?? reply;
}
