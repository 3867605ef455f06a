import { describePath } from '../../describe-path.ts';
import { isLoopback } from '../../loopback.ts';
import type { Finding } from '../../problem.ts';
import { isDuration, parseDuration } from '../../units/duration.ts';
import type { Check } from '../check.ts';
import { member, text } from '../tolerant.ts';

const [SHORTEST_MS, LONGEST_MS] = [100, 60_000];

const checkTimeout = (alerts: unknown, channel: 'webhook' | 'email'): readonly Finding[] => {
  const timeout = member(member(alerts, channel), 'timeout');
  const milliseconds = isDuration(timeout) ? parseDuration(timeout) : SHORTEST_MS;
  const path = ['alerts', channel, 'timeout'];
  return milliseconds >= SHORTEST_MS && milliseconds <= LONGEST_MS
    ? []
    : [{ path, rule: 'out-of-range', message: `${describePath(path)} must be between 100ms and 1m.` }];
};

/** A password is not sent in plain text over a network, and not without its user. */
const checkLogin = (email: unknown): readonly Finding[] => {
  if (!text(member(email, 'password'))) return [];
  if (!text(member(email, 'user')))
    return [
      {
        path: ['alerts', 'email'],
        on: 'key',
        rule: 'missing-key',
        message: 'alerts.email.user is missing: it is needed with a password.',
      },
    ];
  return member(email, 'encryption') === 'none' && !isLoopback(text(member(email, 'host')) ?? '')
    ? [
        {
          path: ['alerts', 'email', 'encryption'],
          rule: 'plain-text-password',
          message: 'alerts.email.password would be sent in plain text. Write encryption: starttls or tls.',
        },
      ]
    : [];
};

export const checkAlerts: Check = ({ data }) => {
  const alerts = member(data, 'alerts');
  return [...checkTimeout(alerts, 'webhook'), ...checkTimeout(alerts, 'email'), ...checkLogin(member(alerts, 'email'))];
};
