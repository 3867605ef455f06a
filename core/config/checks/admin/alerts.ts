import { describePath } from '../../describe-path.ts';
import { isLoopback } from '../../loopback.ts';
import type { Finding } from '../../problem.ts';
import { isDuration, parseDuration } from '../../units/duration.ts';
import type { CheckContext } from '../check.ts';
import { member, text } from '../tolerant.ts';

const [SHORTEST_MS, LONGEST_MS] = [100, 60_000];

/** A password is not sent in plain text over a network, and not without its user. */
function* checkLogin(email: unknown): Iterable<Finding> {
  if (!text(member(email, 'password'))) return;
  if (!text(member(email, 'user'))) {
    const message = 'alerts.email.user is missing: it is needed with a password.';
    yield { path: ['alerts', 'email'], on: 'key', rule: 'missing-key', message };
  } else if (member(email, 'encryption') === 'none' && !isLoopback(text(member(email, 'host')) ?? '')) {
    const message = 'alerts.email.password would be sent in plain text. Write encryption: starttls or tls.';
    yield { path: ['alerts', 'email', 'encryption'], rule: 'plain-text-password', message };
  }
}

export function* checkAlerts({ data }: CheckContext): Iterable<Finding> {
  const alerts = member(data, 'alerts');
  for (const channel of ['webhook', 'email']) {
    const timeout = member(member(alerts, channel), 'timeout');
    const milliseconds = isDuration(timeout) ? parseDuration(timeout) : SHORTEST_MS;
    const path = ['alerts', channel, 'timeout'];
    if (milliseconds < SHORTEST_MS || milliseconds > LONGEST_MS)
      yield { path, rule: 'out-of-range', message: `${describePath(path)} must be between 100ms and 1m.` };
  }
  yield* checkLogin(member(alerts, 'email'));
}
