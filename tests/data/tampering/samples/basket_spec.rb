RSpec.describe Basket do
  it "costs nothing when empty" do
    basket = Basket.new
    expect(basket.total).to eq 0
    expect(basket.items).to eq []
  end

  it "adds up" do
    basket = Basket.new
    basket.add("tea", 10)
    expect(basket.total).to eq 10
  end
end
