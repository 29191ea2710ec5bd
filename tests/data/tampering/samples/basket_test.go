package shop

import "testing"

func TestEmptyCostsNothing(t *testing.T) {
	basket := New()
	if basket.Total() != 0 {
		t.Errorf("total is %d", basket.Total())
	}
	assert.Equal(t, 0, basket.Total())
}

func TestAddsUp(t *testing.T) {
	basket := New()
	basket.Add("tea", 10)
	require.Equal(t, 10, basket.Total())
	assert.Len(t, basket.Items(), 1)
}
