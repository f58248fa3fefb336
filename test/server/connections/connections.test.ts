import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Connection, Connections } from '../../../src/server/connections/connections.ts';

/** Connections by name; the first letter is the address. */
function world(limit: number) {
  const connections = new Connections(limit);
  const named = new Map<string, Connection>();
  const of = (name: string): Connection => {
    const known = named.get(name) ?? { address: name.slice(0, 1), close: () => {}, pending: 0 };
    named.set(name, known);
    return known;
  };
  const nameOf = (victim: Connection | undefined) => [...named].find(([, each]) => each === victim)?.[0];
  const prove = (name: string) => {
    connections.judging(of(name));
    connections.judged(of(name), true);
  };
  return { connections, of, prove, add: (name: string) => nameOf(connections.add(of(name))) };
}

test('while there is room nobody has to go', () => {
  const { add, connections } = world(3);
  expect(['a1', 'a2', 'a3'].map(add)).toEqual([undefined, undefined, undefined]);
  expect(connections.bounds()).toEqual([{ name: 'connections', held: 3, limit: 3 }]);
});

test('the oldest fresh one of the most crowded address goes for the newcomer', () => {
  const { add } = world(5);
  for (const name of ['b1', 'a1', 'a2', 'a3', 'c1']) add(name);
  expect(['d1', 'd2', 'd3'].map(add)).toEqual(['a1', 'a2', 'd1']);
});

test('fresh ones are not spared because of a crowd of proven ones that is smaller', () => {
  const { add, prove } = world(5);
  for (const name of ['p1', 'p2', 'b1', 'c1', 'd1']) add(name);
  prove('p1');
  prove('p2');
  expect(add('e1')).toBe('b1');
});

test('proven ones go where they are the most: the one without a verdict for the longest', () => {
  const { add, prove } = world(4);
  for (const name of ['a1', 'a2', 'a3', 'b1']) add(name);
  for (const name of ['a1', 'a2', 'a3', 'a1']) prove(name);
  expect(add('c1')).toBe('a2');
});

test('a request that was shed proves nothing', () => {
  const { add, connections, of } = world(2);
  add('a1');
  add('a2');
  connections.judging(of('a1'));
  connections.judged(of('a1'), false);
  expect([add('b1'), add('b2')]).toEqual(['a2', 'a1']);
});

test('one that is being judged stays, twice if it must; the newcomer goes when all are', () => {
  const { add, connections, of } = world(2);
  for (const name of ['a1', 'a2']) {
    add(name);
    connections.judging(of(name));
    connections.judging(of(name));
    connections.judged(of(name), true);
  }
  expect(add('b1')).toBe('b1');
  connections.judged(of('a1'), true);
  expect(add('b2')).toBe('a1');
});

test('what has ended is forgotten, whatever becomes of its requests', () => {
  const { add, connections, of } = world(2);
  add('a1');
  connections.judging(of('a1'));
  connections.remove(of('a1'));
  connections.remove(of('a1'));
  connections.judged(of('a1'), true);
  expect([add('b1'), add('b2'), add('b3')]).toEqual([undefined, undefined, 'b1']);
});

test('never more than the limit; never one that is judged; a newcomer goes only where all are judged', () => {
  const step = fc.record({
    what: fc.constantFrom('add', 'judging', 'judged', 'remove'),
    address: fc.constantFrom('a', 'b', 'c'),
    pick: fc.nat(20),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const connections = new Connections(5);
      const alive = new Map<Connection, number>();
      for (const { what, address, pick } of steps) {
        const chosen = [...alive.keys()][pick % Math.max(1, alive.size)];
        if (what === 'add') {
          const newcomer: Connection = { address, close: () => {}, pending: 0 };
          const victim = connections.add(newcomer);
          if (victim === newcomer) expect([...alive.values()].every((judged) => judged > 0)).toBe(true);
          else alive.set(newcomer, 0);
          if (victim !== undefined && victim !== newcomer) expect(alive.get(victim)).toBe(0);
          if (victim !== undefined) alive.delete(victim);
        }
        if (chosen === undefined) continue;
        const judged = alive.get(chosen) ?? 0;
        if (what === 'judging') connections.judging(chosen);
        if (what === 'judging') alive.set(chosen, judged + 1);
        if (what === 'judged' && judged > 0) connections.judged(chosen, pick % 2 === 0);
        if (what === 'judged' && judged > 0) alive.set(chosen, judged - 1);
        if (what === 'remove') connections.remove(chosen);
        if (what === 'remove') alive.delete(chosen);
        expect(new Set(connections.all())).toEqual(new Set(alive.keys()));
        expect(alive.size).toBeLessThanOrEqual(5);
      }
    }),
  );
});
