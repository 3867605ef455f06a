/** One server-sent event: https://html.spec.whatwg.org/multipage/server-sent-events.html */
export function formatFrame(event: string | undefined, data: string): string {
  const lines = data.includes('\n') ? data.replaceAll('\n', '\ndata: ') : data;
  return event === undefined ? `data: ${lines}\n\n` : `event: ${event}\ndata: ${lines}\n\n`;
}
