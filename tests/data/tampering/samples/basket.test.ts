import assert from 'node:assert'
import { describe, expect, it } from 'vitest'
import { Basket } from './basket'

describe('basket', () => {
  it('costs nothing when empty', () => {
    const basket = new Basket()
    expect(basket.total).toBe(0)
    expect(basket.items).toEqual([])
  })

  it('adds up prices', async () => {
    const basket = await Basket.load(`/baskets/${1}`)
    basket.add({ name: 'tea', price: 10 })
    expect(basket.total).toBe(10)
    assert.strictEqual(basket.count, 1)
  })

  it('refuses what it does not know', () => {
    expect(() => new Basket().remove('tea')).toThrow('no tea')
  })
})
