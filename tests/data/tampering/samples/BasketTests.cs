using Xunit;

public class BasketTests
{
    [Fact]
    public void EmptyCostsNothing()
    {
        var basket = new Basket();
        Assert.Equal(0, basket.Total);
        Assert.Empty(basket.Items);
    }

    [Fact]
    public void AddsUp()
    {
        var basket = new Basket();
        basket.Add("tea", 10);
        Assert.Equal(10, basket.Total);
    }
}
