package shop;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;

class BasketTest {

    @Test
    void emptyCostsNothing() {
        Basket basket = new Basket();
        assertEquals(0, basket.total);
        assertTrue(basket.items().isEmpty());
    }

    @Test
    void addsUp() {
        Basket basket = new Basket();
        basket.add("tea", 10);
        assertEquals(10, basket.total);
    }
}
