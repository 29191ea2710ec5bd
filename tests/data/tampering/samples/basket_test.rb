class BasketTest < Minitest::Test
  def test_empty_costs_nothing
    basket = Basket.new
    assert_equal 0, basket.total
    assert basket.items.empty?
  end

  def test_adds_up
    basket = Basket.new
    basket.add("tea", 10)
    assert_equal 10, basket.total
  end
end
