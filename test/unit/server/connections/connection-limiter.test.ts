import { once } from 'node:events';
import { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  addressKey,
  type Connection,
  ConnectionLimiter,
} from '../../../../src/server/connections/connection-limiter.ts';

class FakeSocket extends Socket {
  override readonly remoteAddress: string;

  constructor(address: string) {
    super();
    this.remoteAddress = address;
  }
}

/** Connections by name; the first letter is the address. */
function limited(limit: number) {
  const evicted: string[] = [];
  const names = new Map<Socket, string>();
  const limiter = new ConnectionLimiter(limit);
  const open = new Map<string, Connection>();
  /** Admits one; returns the name of the connection that was closed for it. */
  const admit = (name: string) => {
    const socket = new FakeSocket(name.slice(0, 1));
    names.set(socket, name);
    const destroy = socket.destroy.bind(socket);
    socket.destroy = (error) => {
      evicted.push(name);
      return destroy(error);
    };
    const connection = limiter.admit(socket);
    if (connection !== undefined) open.set(name, connection);
    return evicted.splice(0)[0];
  };
  const of = (name: string) => open.get(name) as Connection;
  const started = (name: string) => limiter.requestStarted(of(name));
  const ended = (name: string, answered = true) => limiter.requestEnded(of(name), answered);
  const answer = (name: string) => {
    started(name);
    ended(name);
  };
  return { limiter, admit, of, started, ended, answer };
}

test('while there is room, nothing is closed', () => {
  const { admit, limiter } = limited(3);
  expect(['a1', 'a2', 'a3'].map(admit)).toEqual([undefined, undefined, undefined]);
  expect(limiter.size()).toBe(3);
});

test('the oldest silent connection of the address with the most of them is closed for a newcomer', () => {
  const { admit } = limited(5);
  for (const name of ['b1', 'a1', 'a2', 'a3', 'c1']) admit(name);
  expect(['d1', 'd2', 'd3'].map(admit)).toEqual(['a1', 'a2', 'd1']);
});

test('a silent one is closed while there are more of these than of answered ones', () => {
  const { admit, answer } = limited(5);
  for (const name of ['p1', 'p2', 'b1', 'c1', 'd1']) admit(name);
  answer('p1');
  answer('p2');
  expect(admit('e1')).toBe('b1');
});

test('of more answered ones, the one that has been idle the longest is closed', () => {
  const { admit, answer } = limited(4);
  for (const name of ['a1', 'a2', 'a3', 'b1']) admit(name);
  for (const name of ['a1', 'a2', 'a3', 'a1']) answer(name);
  expect(admit('c1')).toBe('a2');
});

test('a request that was rejected leaves its connection silent', () => {
  const { admit, started, ended } = limited(2);
  admit('a1');
  admit('a2');
  started('a1');
  ended('a1', false);
  expect([admit('b1'), admit('b2')]).toEqual(['a2', 'a1']);
});

test('a connection that was closed leaves its place, and is not closed for a newcomer', async () => {
  const { admit, of } = limited(2);
  admit('a1');
  admit('b1');
  const closed = once(of('a1').socket, 'close');
  of('a1').socket.destroy();
  await closed;
  expect([admit('c1'), admit('d1'), admit('e1')]).toEqual(['a1', 'b1', 'c1']);
});

test('one with a pending request stays; where all have one, the newcomer is closed', () => {
  const { admit, started, ended } = limited(2);
  for (const name of ['a1', 'a2']) {
    admit(name);
    started(name);
    started(name);
    ended(name);
  }
  expect(admit('b1')).toBe('b1');
  ended('a1');
  expect(admit('b2')).toBe('a1');
});

test('a connection that ended is forgotten, also when its request ends later', () => {
  const { admit, started, ended, of } = limited(2);
  admit('a1');
  started('a1');
  of('a1').socket.emit('close');
  of('a1').socket.emit('close');
  ended('a1');
  expect([admit('b1'), admit('b2'), admit('b3')]).toEqual([undefined, undefined, 'b1']);
});

test('for any sequence: never above the limit, none with a pending request is closed, a newcomer only where all have one', () => {
  const step = fc.record({
    what: fc.constantFrom('admit', 'start', 'end', 'close'),
    address: fc.constantFrom('a', 'b', 'c'),
    pick: fc.nat(20),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const limiter = new ConnectionLimiter(5);
      const alive = new Set<Connection>();
      for (const { what, address, pick } of steps) {
        const chosen = [...alive][pick % Math.max(1, alive.size)];
        if (what === 'admit') {
          const newcomer = limiter.admit(new FakeSocket(address));
          if (newcomer === undefined) expect([...alive].every(({ pending }) => pending > 0)).toBe(true);
          else alive.add(newcomer);
          for (const each of alive) {
            if (!each.socket.destroyed) continue;
            expect(each.pending).toBe(0);
            alive.delete(each);
          }
        } else if (chosen === undefined) continue;
        else if (what === 'start') limiter.requestStarted(chosen);
        else if (what === 'end' && chosen.pending > 0) limiter.requestEnded(chosen, pick % 2 === 0);
        else if (what === 'close') {
          chosen.socket.emit('close');
          alive.delete(chosen);
        }
        expect(new Set(limiter.all())).toEqual(alive);
        expect(alive.size).toBeLessThanOrEqual(5);
      }
    }),
  );
});
test.each([
  ['10.0.0.7', '10.0.0.7'],
  ['::ffff:10.0.0.7', '10.0.0.7'],
  ['::FFFF:10.0.0.7', '10.0.0.7'],
  ['::1', '0:0:0:0::/64'],
  ['fd00:1:2:3::9', 'fd00:1:2:3::/64'],
  ['fd00:1:2:3:4:5:6:7', 'fd00:1:2:3::/64'],
  ['fd00:1::9', 'fd00:1:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('%s is counted as %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});
